# fclib_profile_coarse.gp - the same profile at the coarser tolerance.
table = data."fclib_profile_coarse.tsv"
load "plots/fclib_profile.gp"

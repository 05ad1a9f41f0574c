/* fclib_mass.c - is the M of a global FCLIB file a mass matrix? */
#include "io/fclib.h"
#include "linear/quasi_definite.h"
#include "linear/symmetric_part.h"

static imp_status check_positive(const imp_sparse *M) {
    quasi_definite *factor = imp_quasi_definite_new(M->columns, M->start, M->row);
    if (!factor) return IMP_NO_MEMORY;
    const bool good =
        imp_quasi_definite_factor(factor, M->value) && imp_quasi_definite_positive(factor);
    imp_quasi_definite_free(factor);
    return good ? IMP_OK : IMP_NOT_POSITIVE;
}

imp_status imp_fclib_check_mass(const imp_sparse *M) {
    imp_sparse part;
    imp_status status = imp_sparse_symmetric_part(M, &part);
    if (status == IMP_OK) status = check_positive(&part);
    imp_sparse_clear(&part);
    return status;
}

// From C++: the models of the library, by what they take. Prints:
//
//     8 models take one contact, 14 take many
//     13 never create energy
#include <impact.h>
#include <iostream>

int main() {
    int many = 0, one = 0, promise = 0;
    for (const imp_model *const *m = imp_models; *m; m++) {
        ((*m)->takes & IMP_TAKES_MANY ? many : one)++;
        promise += ((*m)->takes & IMP_NEVER_GAINS_ENERGY) != 0;
    }
    std::cout << one << " models take one contact, " << many << " take many\n"
              << promise << " never create energy\n";
    return 0;
}

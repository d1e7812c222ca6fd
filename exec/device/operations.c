/* operations.c - the operations of this room for rooms below it (internal/edge/above.h). */
#include "cuda_notes.h"
#include "../../internal/backend/cuda/kernel.h"
#include "../../internal/edge/above.h"
#include "cuda_launch.h"
#include "devices.h"

const struct portable__above_device portable__above_device = {
    .launch = portable__cuda_launch,
    .program_retire = portable__cuda_program_retire,
    .fail = portable__cuda_fail,
    .noted = portable__cuda_noted,
    .notes_take = portable__cuda_notes_take,
};

"""Files for the tests of kernels."""
import numpy as np

matrix = np.arange(6, dtype=np.float32).reshape(2, 3)
np.save("c-order.npy", matrix)
np.save("f-order.npy", np.asfortranarray(matrix))
np.savez("arrays.npz", f=np.asfortranarray(matrix), c=matrix)
group = np.arange(8, dtype=np.float64).reshape(2, 2, 2)
np.save("group.npy", group)
np.save("group-f.npy", np.asfortranarray(group))
np.save("none.npy", np.zeros((2, 2, 0)))
np.save("two.npy", np.array([10.0, 11.0]))
np.save("five.npy", np.array([0.0, 1.0, 1.0, 2.0, 1.0]))
np.save("bits.npy", np.array([0x3f80, 0x4000], dtype=np.uint16))

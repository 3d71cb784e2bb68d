/// The measured limits of this machine, to which `bench` compares results.
#ifndef TESSERA_CLI_MACHINELIMITS_H
#define TESSERA_CLI_MACHINELIMITS_H

namespace tessera::cli {

/// Per second, with all threads that a call uses.
struct MachineLimits {
  double flops = 0, wideFlops = 0;       ///< For float32 and float64; an fma counts as two.
  double bytesRead = 0, bytesCopied = 0; ///< Memory beyond the caches; a copied byte counts twice.
};

/// Takes a quarter of a second.
MachineLimits measureLimits();

} // namespace tessera::cli

#endif

/// What this machine reaches at best, measured: the yardstick of `bench`.
#ifndef TESSERA_CLI_MACHINELIMITS_H
#define TESSERA_CLI_MACHINELIMITS_H

namespace tessera::cli {

/// Per second, by all the threads that a call uses.
struct MachineLimits {
  double flops = 0, wideFlops = 0;       ///< Of float32 and of float64, an fma being two.
  double bytesRead = 0, bytesCopied = 0; ///< Memory beyond the caches; a copied byte counts twice.
};

/// Takes a quarter of a second.
MachineLimits measureLimits();

} // namespace tessera::cli

#endif

// Names of networks as people write them; the daemon's are lower case and may be of any country.
const NAMES: Record<string, string> = { mtn: "MTN", airtel: "Airtel", glo: "Glo", "9mobile": "9mobile (T2)" };

export function networkName(network: string): string {
  return NAMES[network.toLowerCase()] ?? (network || "Elsewhere");
}

/**
 * What keeps calls to addresses others named (a shop's site, a receiver of webhooks) out of the networks behind us: a
 * name may lead anywhere, and elsewhere the next time.
 */
export interface Outbound {
  /**
   * As `dns.lookup` of node:dns, for the option `lookup` of agents and sockets: the address that was looked at is the
   * one that is connected to. Fails with code EPRIVATE where a name leads into a network that is not the internet's.
   */
  lookup: Lookup;
  /** Whether a host written as an IP address is refused: nobody looks such a one up. Loopback is not: it is written on purpose. */
  refuses(hostname: string): boolean;
}

export interface FoundAddress {
  address: string;
  family: number;
}

type Found = (error: Error | null, address: string | FoundAddress[], family?: number) => void;
export type Lookup = (hostname: string, options: { all?: boolean | undefined }, callback: Found) => void;

/** The `code` of an address that is refused. */
export const privateAddress = 'EPRIVATE';

import { lookup as ask, type LookupAddress } from 'node:dns';
import { BlockList, isIP } from 'node:net';
import { type Lookup, type Outbound, privateAddress } from '../domain/outbound.ts';

/** What IANA's registries of special-purpose addresses (2026) take out of the internet. */
const special = {
  ipv4: [
    ['0.0.0.0', 8],
    ['10.0.0.0', 8],
    ['100.64.0.0', 10],
    ['127.0.0.0', 8],
    // The platform of Azure answers its machines here, with their settings.
    ['168.63.129.16', 32],
    ['169.254.0.0', 16],
    ['172.16.0.0', 12],
    ['192.0.0.0', 24],
    ['192.0.2.0', 24],
    ['192.88.99.0', 24],
    ['192.168.0.0', 16],
    ['198.18.0.0', 15],
    ['198.51.100.0', 24],
    ['203.0.113.0', 24],
    ['224.0.0.0', 4],
    ['240.0.0.0', 4],
  ],
  ipv6: [
    // Protocols' own: Teredo, benchmarking, ORCHID and whatever comes next.
    ['2001::', 23],
    ['2001:db8::', 32],
    // 6to4: the address holds an IPv4 one, and nobody relays to it any more.
    ['2002::', 16],
    ['3fff::', 20],
  ],
} as const;

/**
 * All of IPv6 that may be called, but for what is special: the part that is given out, and the two notations of IPv4
 * addresses, whose IPv4 address counts (RFC 4291 mapped, RFC 6052 NAT64). All else is refused unseen.
 */
const global = [
  ['2000::', 3],
  ['::ffff:0:0', 96],
  ['64:ff9b::', 96],
] as const;

/** Lets calls reach the internet, and of the networks behind us those of `allowed` alone (`10.0.0.0/8`). */
export function openOutbound(allowed: readonly string[] = []): Outbound {
  const refused = new BlockList();
  for (const [network, bits] of special.ipv4) {
    // Of a mapped address BlockList compares the IPv4 address itself.
    refused.addSubnet(network, bits, 'ipv4');
    refused.addSubnet(`64:ff9b::${network}`, 96 + bits, 'ipv6');
  }
  for (const [network, bits] of special.ipv6) refused.addSubnet(network, bits, 'ipv6');
  const reached = new BlockList();
  for (const [network, bits] of global) reached.addSubnet(network, bits, 'ipv6');
  const allow = new BlockList();
  for (const network of allowed) {
    const [address = '', bits = ''] = network.split('/');
    allow.addSubnet(address, Number(bits), isIP(address) === 4 ? 'ipv4' : 'ipv6');
  }
  const isRefused = (address: string): boolean => {
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
    const behind = refused.check(address, family) || (family === 'ipv6' && !reached.check(address, family));
    return behind && !allow.check(address, family);
  };
  const lookup: Lookup = (hostname, options, callback) => {
    ask(hostname, { ...options, all: true }, (error, found: LookupAddress[]) => {
      const bad = error ? undefined : found.find(({ address }) => isRefused(address) && !isLocal(hostname));
      const [first] = found ?? [];
      if (error || bad || !first) return callback(error ?? refusal(hostname), '');
      return options.all ? callback(null, found) : callback(null, first.address, first.family);
    });
  };
  return {
    lookup,
    refuses(hostname) {
      const address = hostname.replace(/^\[|\]$/g, '');
      return isIP(address) !== 0 && isRefused(address) && !isLocal(address);
    },
  };
}

/** This machine by its own name: a stand-in, or a shop beside us. */
const isLocal = (hostname: string): boolean => /^(localhost|127(\.\d{1,3}){3}|::1)$/i.test(hostname);

function refusal(hostname: string): Error {
  return Object.assign(new Error(`${hostname} leads into a private network.`), { code: privateAddress });
}

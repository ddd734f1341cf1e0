import { lookup as ask, type LookupAddress } from 'node:dns';
import { BlockList, isIP } from 'node:net';
import { type Lookup, type Outbound, privateAddress } from '../domain/ports.ts';

/** Special-purpose networks of IANA's registries (2026). */
const special = {
  ipv4: [
    ['0.0.0.0', 8],
    ['10.0.0.0', 8],
    ['100.64.0.0', 10],
    ['127.0.0.0', 8],
    // Azure's metadata of virtual machines.
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
    // Protocol assignments: Teredo, benchmarking, ORCHID.
    ['2001::', 23],
    ['2001:db8::', 32],
    // 6to4: contains an IPv4 address; its relays are gone.
    ['2002::', 16],
    ['3fff::', 20],
  ],
} as const;

/** Two notations of IPv4 addresses are included: RFC 4291 mapped and RFC 6052 NAT64. Everything else is refused. */
const global = [
  ['2000::', 3],
  ['::ffff:0:0', 96],
  ['64:ff9b::', 96],
] as const;

/** Private networks only where `allowed` names them (`10.0.0.0/8`). */
export function openOutbound(allowed: readonly string[] = []): Outbound {
  const refused = new BlockList();
  for (const [network, bits] of special.ipv4) {
    // For a mapped address BlockList compares the IPv4 address.
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

/** An emulator or a shop may run on this machine. */
const isLocal = (hostname: string): boolean => /^(localhost|127(\.\d{1,3}){3}|::1)$/i.test(hostname);

function refusal(hostname: string): Error {
  return Object.assign(new Error(`${hostname} leads into a private network.`), { code: privateAddress });
}

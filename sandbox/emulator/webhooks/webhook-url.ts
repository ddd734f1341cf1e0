import { BlockList, isIP } from 'node:net';

const internal = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['224.0.0.0', 3],
] as const) {
  internal.addSubnet(network, prefix, 'ipv4');
}
for (const [network, prefix] of [
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const) {
  internal.addSubnet(network, prefix, 'ipv6');
}

/** True for an IP address of this machine or of a private network. */
export function isInternalAddress(address: string): boolean {
  const version = isIP(address);
  return version !== 0 && internal.check(address, version === 4 ? 'ipv4' : 'ipv6');
}

/**
 * Why the service refuses a webhook URL, or undefined when it takes it: the URL must be public; localhost,
 * private IPs and internal addresses are rejected (spec, "Delivery and retries").
 */
export function refusedWebhookUrl(text: string, allowInternal: boolean): string | undefined {
  if (!URL.canParse(text)) return 'no es una URL.';
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'debe empezar con https:// o http://.';
  if (allowInternal) return undefined;
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  const isInternal =
    isIP(host) === 0
      ? !host.includes('.') || /\.(localhost|local|internal|lan|home\.arpa)$/.test(host)
      : isInternalAddress(host);
  return isInternal
    ? 'debe ser pública; no se admite localhost, IP privadas ni direcciones internas.'
    : undefined;
}

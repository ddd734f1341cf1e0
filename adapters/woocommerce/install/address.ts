import { BlockList, isIP } from 'node:net';
import { z } from 'zod';
import type { InstallItem } from '../../../src/domain/install.ts';

const privateNet = new BlockList();
for (const [net, bits] of [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
  ['127.0.0.0', 8],
] as const)
  privateNet.addSubnet(net, bits);

/** On this machine, where nobody listens in and test shops live. */
export function isLoopback(address: string): boolean {
  const { hostname } = new URL(address);
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

const what = 'Nuestra dirección pública';

/** Whether a shop would deliver to us: WordPress sends only to public hosts and few ports (measured on WooCommerce 11.0.1). */
export function checkAddress(publicUrl: string): InstallItem {
  const { protocol, port, hostname } = new URL(publicUrl);
  const bad = (code: string, cure: string): InstallItem => ({ code, what, state: 'problem', cure });
  if (isLoopback(publicUrl))
    return {
      code: 'public-url',
      what,
      state: 'warning',
      cure: `La dirección ${publicUrl} es esta misma máquina: una tienda de internet no puede llegar a ella; sirve solo para pruebas.`,
    };
  if (protocol !== 'https:')
    return bad(
      'public-url-https',
      'WooCommerce entrega sus claves solo por https: ponga un proxy con certificado delante y escriba «publicUrl» con https://.',
    );
  if (isIP(hostname) === 4 && privateNet.check(hostname))
    return bad(
      'public-url-private',
      `La dirección ${hostname} es privada: WordPress no envía nada a ella; use un dominio público.`,
    );
  if (!['', '8080'].includes(port))
    return bad('public-url-port', `WordPress no envía nada al puerto ${port}: sirva «publicUrl» por el 443.`);
  return { code: 'public-url', what, state: 'ok', cure: null };
}

const alive = z.object({ status: z.literal('alive') });

/** Asks ourselves from outside, as the shop would. */
export async function checkReachable(publicUrl: string, timeoutMs: number): Promise<InstallItem> {
  const said = await fetch(`${publicUrl}/healthz`, {
    redirect: 'manual',
    signal: AbortSignal.timeout(Math.min(timeoutMs, 10_000)),
    headers: { connection: 'close' },
  })
    .then((answer) => answer.json())
    .catch(() => null);
  const code = 'public-url-reach';
  const reached = 'Respuesta en nuestra dirección pública';
  if (alive.safeParse(said).success) return { code, what: reached, state: 'ok', cure: null };
  return {
    code,
    what: reached,
    state: 'problem',
    cure: `Nadie responde en ${publicUrl}: inicie «facturapuente start» y revise el dominio, el certificado y el proxy; sin eso la tienda no puede avisar de sus pedidos.`,
  };
}

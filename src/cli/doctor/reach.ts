import { z } from 'zod';
import { userAgent } from '../../app/version.ts';
import type { InstallItem } from '../../domain/install.ts';
import { item } from '../../setup/items.ts';

const patienceMs = 10_000;
const alive = z.object({ status: z.literal('alive'), proxy: z.literal('untrusted').optional() });
const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Whether the address the world is given leads to facturapuente, and its proxy is believed. */
export async function publicUrlItems(publicUrl: string): Promise<InstallItem[]> {
  const what = `Dirección pública ${publicUrl}`;
  const answer = await get(`${publicUrl}/healthz`);
  if (answer === null)
    return [
      item('public-url', what, 'problem', {
        cure: 'Nadie responde ahí: inicie «facturapuente start» y revise el DNS, el certificado y el proxy.',
      }),
    ];
  const { data: said } = alive.safeParse(await answer.json().catch(() => null));
  if (!said)
    return [
      item('public-url', what, 'problem', {
        cure: `Responde otro programa (${answer.status}): el proxy debe llevar esta dirección entera a facturapuente, sin redirigir.`,
      }),
    ];
  const proxy = item('trusted-proxies', 'Proxy de la dirección pública', 'warning', {
    cure: 'El proxy dice por quién habla y no está en trustedProxies: todos sus clientes cuentan como uno, y los intentos fallidos de un extraño limitan a los demás. Escriba en trustedProxies la red desde la que llama (docs/operations.md).',
  });
  return [howPublic(what, publicUrl), ...(said.proxy === 'untrusted' ? [proxy] : [])];
}

function howPublic(what: string, publicUrl: string): InstallItem {
  if (loopback.test(new URL(publicUrl).hostname))
    return item('public-url', what, 'warning', {
      cure: 'Es esta misma máquina: sirve para probar, pero nadie de fuera llega a ella.',
    });
  if (!publicUrl.startsWith('https:'))
    return item('public-url', what, 'warning', { cure: 'Va sin cifrar: use https://.' });
  return item('public-url', what, 'ok');
}

/** Readiness of the process on this machine: what it says of ledger and transport; null where none answers. */
export async function readinessOf(port: number): Promise<{ ledger: string; transport: string } | null> {
  const answer = await get(`http://127.0.0.1:${port}/readyz`);
  const shape = z.object({ ledger: z.string(), transport: z.string() });
  return shape.safeParse(await answer?.json().catch(() => null)).data ?? null;
}

/** V2 signatures of the service hold for so long (spec, "Events"). */
const tolerance = 300;
const suspicious = 60;

/** How far our clock is from the service's, by the Date of an answer nobody must be known for. */
export async function clockItem(baseUrl: string, now: () => Date): Promise<InstallItem> {
  const what = 'Reloj de esta máquina frente al del servicio';
  const answer = await get(`${baseUrl}/api/ping`, 'POST');
  const theirs = Date.parse(answer?.headers.get('date') ?? '');
  await answer?.body?.cancel();
  if (Number.isNaN(theirs))
    return item('clock', what, 'warning', { cure: 'El servicio no dice su hora; no se pudo comparar.' });
  const seconds = Math.round((now().getTime() - theirs) / 1000);
  const apart = Math.abs(seconds);
  if (apart <= suspicious) return item('clock', what, 'ok');
  const cure = `El de esta máquina ${seconds > 0 ? 'adelanta' : 'atrasa'} ${apart} s: sincronícelo (NTP). Desde ${tolerance} s se rechazan los avisos del servicio, y a medianoche las facturas llevarían otro día.`;
  return item('clock', what, apart > tolerance ? 'problem' : 'warning', { cure });
}

async function get(url: string, method = 'GET'): Promise<Response | null> {
  const signal = AbortSignal.timeout(patienceMs);
  const headers = { 'user-agent': userAgent, connection: 'close' };
  return fetch(url, { method, headers, redirect: 'manual', signal }).catch(() => null);
}

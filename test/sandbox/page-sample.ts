import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createSandbox, type Sandbox } from '../../sandbox/emulator/index.ts';
import { eventually } from '../support/eventually.ts';
import { factura } from './support.ts';

/** Keys of the sample's accounts; no page may show them. */
export const sampleKeys = { tienda: 'clave-tienda-quito-4f7a', produccion: 'clave-produccion-91c2' };
export const sampleSecret = 'secreto-del-webhook-de-la-muestra-3d';

export interface Sample {
  sandbox: Sandbox;
  emit(key: string, path: string, body: unknown): Promise<{ claveacceso: string }>;
  close(): Promise<void>;
}

type Sale = readonly [
  key: string,
  numero: number,
  name: string,
  id: string,
  item: readonly [text: string, quantity: number, price: number],
  change?: (body: ReturnType<typeof factura>) => void,
];

const { tienda, produccion } = sampleKeys;
const inProduction = (body: ReturnType<typeof factura>) => (body.ambiente = 2);
const credit = (body: ReturnType<typeof factura>) => {
  body.documento_modificado = {
    codigo_documento_sustento: 1,
    numero_documento_sustento: '001001000000212',
    fecha_documento_sustento: '2026/11/18',
    motivo: 'Devolución de un producto',
  };
};

// Names are invented; identifications are the service's own test numbers or made to be valid.
const sales: readonly Sale[] = [
  [tienda, 218, 'María José Peñafiel', '2459999997', ['Café de altura 340 g', 2, 8.5]],
  [tienda, 219, 'Comercial Andina Cía. Ltda.', '1790016919001', ['Licencia anual', 12, 89.9]],
  [produccion, 41, 'Luis Alberto Quishpe', '1710034065', ['Bicicleta de montaña', 1, 749], inProduction],
  [tienda, 220, 'Ana Lucía Bravo', '1713175071', ['Camiseta', 3, 17.382609]],
  [tienda, 17, 'María José Peñafiel', '2459999997', ['Café de altura 340 g', 1, 8.5], credit],
  [tienda, 221, 'Consumidor final', '9999999999999', ['Chocolate 70 %', 4, 3.25]],
  [produccion, 42, 'Importadora del Pacífico S.A.', '0992339411001', ['Repuestos', 150, 82.3], inProduction],
  [tienda, 222, 'Diego Fernando Salazar', '1715678901', ['Mochila', 1, 54.782609]],
];

/** A sandbox with two accounts, eight documents of every kind of end, and deliveries that failed and arrived. */
export async function openSample(): Promise<Sample> {
  const receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const fails = Buffer.concat(chunks).includes('000000220');
      response.writeHead(fails ? 500 : 200).end();
    });
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/webhooks/facturas`;
  const sandbox = await createSandbox({
    now: () => new Date('2026-11-20T14:02:11Z'),
    authorizeDelayMs: 5,
    allowLoopbackWebhooks: true,
    accounts: [
      { apiKey: tienda, webhook: { url: hook, secret: sampleSecret } },
      { apiKey: produccion, providerApproved: true, credits: 250, queriesWallet: 5, beta: true },
    ],
  });
  const emit: Sample['emit'] = async (key, path, body) => {
    const response = await fetch(`${sandbox.url}/api/${path}/emision`, {
      method: 'POST',
      headers: { 'X-API-KEY': key, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const answer = (await response.json()) as { creado: boolean; claveacceso: string };
    if (!answer.creado) throw new Error(`The sample was refused: ${JSON.stringify(answer)}`);
    return answer;
  };
  const order = (identificacion: string, resultado: 'error' | 'en_proceso', codigo?: number) =>
    sandbox.faults.add({ outcome: { identificacion, resultado, ...(codigo ? { codigo } : {}), times: 1 } });
  order('1713175071', 'error', 39);
  order('0992339411001', 'error', 56);
  order('1715678901', 'en_proceso');
  // Every attempt that is due has been made, so that the sample is the same each time.
  const delivered = () =>
    eventually(async () => {
      const response = await fetch(`${sandbox.url}/__sandbox/entregas`);
      const all = (await response.json()) as { proximo_intento: string | null }[];
      const now = sandbox.clock.now().getTime();
      return all.every(({ proximo_intento: next }) => next === null || Date.parse(next) > now);
    }, 'the deliveries');
  for (const [index, sale] of sales.entries()) {
    const [key, , name, id, , change] = sale;
    const { claveacceso } = await emit(key, change === credit ? 'credito' : 'factura', bodyOf(sale));
    if (id === '1715678901') continue;
    await eventually(
      () => sandbox.documents().some((one) => one.claveacceso === claveacceso && one.estado !== 1),
      `${name} decided`,
    );
    await delivered();
    sandbox.clock.step(41_000 + 53_000 * index);
    await delivered();
  }
  return {
    sandbox,
    emit,
    async close() {
      await sandbox.close();
      receiver.closeAllConnections();
      receiver.close();
    },
  };
}

function bodyOf([, numero, name, id, [descripcion, cantidad, precio_unitario], change]: Sale) {
  return factura((body) => {
    body.emisor.secuencial = String(numero).padStart(9, '0');
    const kind = id.startsWith('99999') ? '07' : id.length === 13 ? '04' : '05';
    Object.assign(body.comprador, { identificacion: id, razon_social: name, tipo_identificacion: kind });
    const item = { codigo_principal: 'SKU-1', tipoproducto: 1, tipo_iva: 4 };
    body.items = [{ ...item, descripcion, cantidad, precio_unitario }];
    delete body.pagos;
    change?.(body);
  });
}

import { createServer } from 'node:http';
import type { FacturaBody } from '../mappers/body.ts';
import { accessKeyOf } from '../src/service/event.ts';

/**
 * A minimal service: answers every POST like an emission, with the access key of its document, and every query as still
 * in process. Prints its port. `GET /` returns the time of each order's first emission, in milliseconds since the epoch,
 * `GET /count` the number of orders.
 */
let count = 0;
const keyOf = (text: string): string => {
  const { emisor, ambiente } = JSON.parse(text) as FacturaBody;
  return accessKeyOf(
    {
      issueDate: emisor.fecha_emision.replaceAll('/', '-'),
      codDoc: '01',
      ruc: emisor.ruc,
      ambiente,
      establecimiento: emisor.codigo_establecimiento,
      puntoEmision: emisor.codigo_puntoemision,
      secuencial: emisor.secuencial ?? '',
    },
    '123456781',
  );
};
const arrivals = new Map<string, number>();
const server = createServer((request, response) => {
  if (request.method === 'GET') {
    if (request.url === '/') response.end(JSON.stringify(Object.fromEntries(arrivals)));
    else if (request.url === '/count') response.end(JSON.stringify(arrivals.size));
    else {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('{"success":true,"estado":"2","autorizado":false}');
    }
    return;
  }
  const chunks: Buffer[] = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const text = Buffer.concat(chunks).toString('utf8');
    const order = /\/factura\/(\d+)\//.exec(text)?.[1];
    if (order !== undefined && !arrivals.has(order)) arrivals.set(order, Date.now());
    count += 1;
    const claveacceso = keyOf(text);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify({
        creado: true,
        claveacceso,
        id_comprobante: count,
        estado: 'En procesamiento',
        mensaje: 'Comprobante registrado.',
      }),
    );
  });
}).listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(typeof address === 'object' ? address?.port : address);
});

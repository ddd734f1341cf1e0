import Table from 'cli-table3';
import pc from 'picocolors';
import type { Live } from './live.ts';
import type { DemoResult, DemoRow } from './result.ts';

/** Progress goes to stderr, so that stdout holds the result alone. */
export function showLive(quiet: boolean): Live {
  const began = performance.now();
  return {
    step(text) {
      if (quiet) return;
      const seconds = ((performance.now() - began) / 1000).toFixed(1).padStart(5);
      process.stderr.write(`${pc.dim(`${seconds} s`)}  ${text}\n`);
    },
  };
}

/** The object `demo --json` prints. */
export function toJson({ orders, refunds, deliveries, seconds }: DemoResult): unknown {
  return { orders, refunds, deliveries, seconds };
}

const titles: Readonly<Record<string, string>> = { shopify: 'Shopify', woocommerce: 'WooCommerce' };

export function showTable({ orders, refunds, deliveries, seconds }: DemoResult): string {
  const facturas = tableOf('Cobrado', 'Factura');
  for (const row of orders) facturas.push(cells(row, row.charged));
  const credits = tableOf('Devuelto', 'Nota de crédito');
  for (const row of refunds) credits.push(cells(row, row.refunded));
  return [
    '',
    facturas.toString(),
    '',
    'Reembolsos, cada uno con su nota de crédito:',
    credits.toString(),
    '',
    'PDF de cada documento, el mismo enlace que quedó en el pedido:',
    ...[...orders, ...refunds].map(link),
    '',
    `${deliveries.accepted} webhooks aceptados, ${deliveries.duplicates} repetidos sin efecto, ${deliveries.rejected} con firma falsa rechazado; ${seconds} s en total.`,
    pc.dim('Los enlaces funcionan mientras esto siga abierto. Termine con Ctrl+C.'),
    '',
  ].join('\n');
}

function tableOf(money: string, document: string) {
  return new Table({
    head: ['Pedido', 'Tienda', money, document, 'Número', 'Estado', 'En la tienda'].map((title) =>
      pc.bold(title),
    ),
    colAligns: ['left', 'left', 'right', 'right', 'left', 'left', 'left'],
    style: { head: [], border: [], compact: true },
  });
}

type Row = Pick<
  DemoRow,
  'order' | 'platform' | 'document' | 'number' | 'state' | 'writtenBack' | 'accessKey' | 'pdfUrl' | 'pdfBytes'
>;

const cells = (row: Row, money: string): string[] => [
  row.order,
  titles[row.platform] ?? row.platform,
  money,
  row.document ?? '',
  row.number ?? '',
  row.state === 'authorized' ? pc.green('autorizada') : pc.yellow(row.state),
  row.writtenBack ? pc.green('sí') : pc.red('no'),
];

const link = ({ order, accessKey, pdfUrl, pdfBytes }: Row): string =>
  `  ${order.padEnd(6)} clave de acceso ${accessKey ?? '(ninguna)'}\n         ${pc.cyan(pdfUrl ?? '')} ${pc.dim(`${pdfBytes} bytes`)}`;

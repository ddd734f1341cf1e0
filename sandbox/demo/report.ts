import Table from 'cli-table3';
import pc from 'picocolors';
import type { DeliveryCounts, DemoRow } from './sales.ts';

export interface DemoResult {
  orders: DemoRow[];
  refunds: DemoRow[];
  deliveries: DeliveryCounts;
  seconds: number;
  /** Whether every document was written back and every PDF opened. */
  complete: boolean;
}

/** Progress goes to stderr, so that stdout holds only the result. */
export function showProgress(quiet: boolean): (text: string) => void {
  const began = performance.now();
  return (text) => {
    if (quiet) return;
    const seconds = ((performance.now() - began) / 1000).toFixed(1).padStart(5);
    process.stderr.write(`${pc.dim(`${seconds} s`)}  ${text}\n`);
  };
}

/** The object `demo --json` prints. */
export function toJson({ orders, refunds, deliveries, seconds }: DemoResult): unknown {
  return {
    orders: orders.map(({ amount: charged, ...row }) => ({ ...row, charged })),
    refunds: refunds.map(({ amount, ...row }) => ({ ...row, refunded: amount })),
    deliveries,
    seconds,
  };
}

const titles: Readonly<Record<string, string>> = { shopify: 'Shopify', woocommerce: 'WooCommerce' };

export function showTable({ orders, refunds, deliveries, seconds }: DemoResult): string {
  const facturas = tableOf('Cobrado', 'Factura');
  facturas.push(...orders.map(cells));
  const credits = tableOf('Devuelto', 'Nota de crédito');
  credits.push(...refunds.map(cells));
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

const cells = (row: DemoRow): string[] => [
  row.order,
  titles[row.platform] ?? row.platform,
  row.amount,
  row.document ?? '',
  row.number ?? '',
  row.state === 'authorized' ? pc.green('autorizada') : pc.yellow(row.state),
  row.writtenBack ? pc.green('sí') : pc.red('no'),
];

const link = ({ order, accessKey, pdfUrl, pdfBytes }: DemoRow): string =>
  `  ${order.padEnd(6)} clave de acceso ${accessKey ?? '(ninguna)'}\n         ${pc.cyan(pdfUrl ?? '')} ${pc.dim(`${pdfBytes} bytes`)}`;

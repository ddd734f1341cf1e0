import Table from 'cli-table3';
import pc from 'picocolors';
import type { Live } from './live.ts';
import type { DemoResult } from './result.ts';

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
export function toJson({ orders, deliveries, seconds }: DemoResult): unknown {
  return { orders, deliveries, seconds };
}

const titles: Readonly<Record<string, string>> = { shopify: 'Shopify', woocommerce: 'WooCommerce' };

export function showTable({ orders, deliveries, seconds }: DemoResult): string {
  const table = new Table({
    head: ['Pedido', 'Tienda', 'Cobrado', 'Factura', 'Número', 'Estado', 'En la tienda'].map((title) =>
      pc.bold(title),
    ),
    colAligns: ['left', 'left', 'right', 'right', 'left', 'left', 'left'],
    style: { head: [], border: [], compact: true },
  });
  for (const row of orders) {
    table.push([
      row.order,
      titles[row.platform] ?? row.platform,
      row.charged,
      row.document ?? '',
      row.number ?? '',
      row.state === 'authorized' ? pc.green('autorizada') : pc.yellow(row.state),
      row.writtenBack ? pc.green('sí') : pc.red('no'),
    ]);
  }
  const links = orders.map(
    (row) =>
      `  ${row.order.padEnd(6)} clave de acceso ${row.accessKey ?? '(ninguna)'}\n         ${pc.cyan(row.pdfUrl ?? '')} ${pc.dim(`${row.pdfBytes} bytes`)}`,
  );
  return [
    '',
    table.toString(),
    '',
    'PDF de cada factura, el mismo enlace que quedó en el pedido:',
    ...links,
    '',
    `${deliveries.accepted} webhooks aceptados, ${deliveries.duplicates} repetidos sin efecto, ${deliveries.rejected} con firma falsa rechazado; ${seconds} s en total.`,
    pc.dim('Los enlaces funcionan mientras esto siga abierto. Termine con Ctrl+C.'),
    '',
  ].join('\n');
}

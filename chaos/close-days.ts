import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { CloseAnswer } from '../src/accounting/close/closing.ts';
import { ecuadorDay } from '../src/core/calendar.ts';
import { decimal, sum, toAmount } from '../src/core/money.ts';
import type { StoredDocument } from '../src/sandbox/index.ts';
import { isAuthorised } from './evidence.ts';
import { saysRounding } from './judge.ts';
import type { Stage } from './stage.ts';

const bin = fileURLToPath(new URL('../src/cli/bin.ts', import.meta.url));
const codes = { factura: '01', 'nota-credito': '04' } as const;

/**
 * Closes every day of the run with `facturapuente close`, as an accountant would, and holds its figures against what
 * the service stored: documents, totals, and each tax. Answers what does not agree, and how many days were closed.
 */
export async function closeDays(stage: Stage): Promise<{ days: number; differ: string[] }> {
  const stored = stage.sandbox.documents().filter(isAuthorised);
  const byDay = Map.groupBy(stored, dayOf);
  // What is sold before midnight may all be issued after it.
  const midnight = stage.midnight.getTime();
  const days = new Set([ecuadorDay(new Date(midnight - 1)), ecuadorDay(new Date(midnight)), ...byDay.keys()]);
  const differ: string[] = [];
  for (const day of days) {
    const documents = byDay.get(day) ?? [];
    const { close } = await closeDay(stage.config, day);
    const say = (what: string) => differ.push(`${day}: ${what}`);
    if (close.result !== 'green') say(`the close is ${close.result}`);
    for (const { sentence } of [...close.differences, ...close.unanswered]) say(sentence);
    for (const { kind, ours, service, shop } of close.issued) {
      const there = documents.filter(({ tipo }) => tipo === codes[kind]);
      const total = toAmount(sum(there.map(({ figures }) => figures?.importeTotal ?? '0')));
      // The shop tells the money that went back, the documents of some the cent that no base gives.
      const cents = decimal('0.02').times(there.filter(saysRounding).length);
      for (const [who, seen] of Object.entries({ ours, service, shop }))
        if (
          seen.count !== there.length ||
          decimal(seen.total)
            .minus(total)
            .abs()
            .gt(seen === shop ? cents : 0)
        )
          say(
            `${kind}: ${who} ${seen.count} over ${seen.total}, the service stored ${there.length} over ${total}`,
          );
      const taxes = taxesOf(there);
      for (const seen of [ours, service]) {
        const told = JSON.stringify(
          seen.taxes.map(({ codigo, codigoPorcentaje, base, valor }) => [
            `${codigo}/${codigoPorcentaje}`,
            base,
            valor,
          ]),
        );
        if (told !== JSON.stringify(taxes))
          say(`${kind}: taxes ${told}, the service stored ${JSON.stringify(taxes)}`);
      }
    }
  }
  return { days: days.size, differ };
}

/** As the close tells them: in the order of their codes. */
function taxesOf(documents: readonly StoredDocument[]): [string, string, string][] {
  const groups = documents.flatMap(({ figures }) => figures?.groups ?? []);
  const name = ({ codigo, codigoPorcentaje }: (typeof groups)[number]) => `${codigo}/${codigoPorcentaje}`;
  return [...Map.groupBy(groups, name)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, rows]) => [
      code,
      toAmount(sum(rows.map(({ base }) => base))),
      toAmount(sum(rows.map(({ valor }) => valor))),
    ]);
}

/** An access key begins with the issue date (ficha técnica SRI, tabla 1). */
const dayOf = ({ claveacceso }: StoredDocument): string =>
  `${claveacceso.slice(4, 8)}-${claveacceso.slice(2, 4)}-${claveacceso.slice(0, 2)}`;

function closeDay(config: string, day: string): Promise<CloseAnswer> {
  return new Promise((resolve, reject) => {
    const args = [bin, 'close', '--config', config, '--date', day, '--save', '--json'];
    execFile(process.execPath, args, { maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      if (stdout === '')
        return reject(new Error(`close of ${day} said nothing: ${stderr}`, { cause: error }));
      resolve(JSON.parse(stdout));
    });
  });
}

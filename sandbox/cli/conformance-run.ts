import { readFile } from 'node:fs/promises';
import Table from 'cli-table3';
import pc from 'picocolors';
import { parseJson } from '../../src/domain/loose.ts';
import { type Basis, basisOf, type Finding, NotTestable } from '../conformance/check.ts';
import { type Checked, type Report, runConformance } from '../conformance/run.ts';
import { exampleIssuer, type Settings } from '../conformance/settings.ts';

export interface ConformanceFlags {
  baseUrl: string;
  apiKey: string;
  secondKey?: string;
  emisor?: string;
  series: { establecimiento: string; puntoEmision: string };
  wait: number;
  listen?: number;
  publicUrl?: string;
  webhookUrl?: string;
  ruc?: string;
  withCompanies: boolean;
  withVerification: boolean;
  withRateLimit: boolean;
  json: boolean;
}

/** Runs the checks, prints the report and answers the exit code: 0 nothing differs, 1 something does, 2 no run. */
export async function conform(flags: ConformanceFlags): Promise<0 | 1 | 2> {
  let stopping = false;
  const stop = () => {
    process.off('SIGINT', stop);
    stopping = true;
    process.stderr.write(
      '\nTerminando; el webhook de la cuenta queda como estaba. Otra vez Ctrl+C corta en seco.\n',
    );
  };
  process.on('SIGINT', stop);
  let done = 0;
  const onChecked = () => {
    done += 1;
    if (process.stderr.isTTY && !flags.json) process.stderr.write(`\r${done} comprobaciones`);
  };
  try {
    const settings = await toSettings(flags);
    const report = await runConformance(settings, { stopped: () => stopping, onChecked });
    if (process.stderr.isTTY && !flags.json) process.stderr.write('\r\x1b[K');
    process.stdout.write(flags.json ? toJson(report, flags.baseUrl) : toText(report, flags.baseUrl));
    return differences(report).length > 0 ? 1 : 0;
  } catch (error) {
    if (!(error instanceof NotTestable)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 2;
  } finally {
    process.off('SIGINT', stop);
  }
}

async function toSettings(flags: ConformanceFlags): Promise<Settings> {
  const { baseUrl, apiKey, secondKey, series, wait, listen, publicUrl, webhookUrl, ruc } = flags;
  const emisor = flags.emisor === undefined ? exampleIssuer : await readIssuer(flags.emisor);
  if (ruc !== undefined && (!/^\d{13}$/.test(ruc) || ruc === emisor.ruc)) {
    throw new NotTestable('--ruc debe tener 13 dígitos y no ser el del emisor.');
  }
  return {
    ...{ baseUrl, apiKey, emisor, series, waitSeconds: wait },
    ...(secondKey === undefined ? {} : { secondKey }),
    ...(webhookUrl === undefined ? {} : { webhook: { url: webhookUrl } }),
    ...(listen === undefined ? {} : { webhook: { listen, ...(publicUrl ? { publicUrl } : {}) } }),
    ...(flags.withCompanies && ruc ? { companyRuc: ruc } : {}),
    withVerification: flags.withVerification,
    withRateLimit: flags.withRateLimit,
  };
}

async function readIssuer(file: string): Promise<Settings['emisor']> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'ENOENT' ? 'el archivo no existe' : error.message;
    throw new NotTestable(`No se puede leer ${file}: ${why}.`);
  });
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    throw new NotTestable(`${file} no contiene JSON válido.`);
  }
  if (typeof value !== 'object' || value === null || !('ruc' in value) || typeof value.ruc !== 'string') {
    throw new NotTestable(`${file} debe contener el bloque emisor, con su ruc como texto.`);
  }
  return value as Settings['emisor'];
}

type Verdict = Finding['verdict'];

/** What keeps the exit code from being 0; a shape the specification does not show is none. */
const differences = ({ checked }: Report): Checked[] =>
  checked.filter(({ inferred, finding }) => inferred === undefined && finding.verdict === 'differs');

const ofSpec = ({ checked }: Report) => checked.filter(({ inferred }) => inferred === undefined);
const count = (checked: readonly Checked[], verdict: Verdict) =>
  checked.filter(({ finding }) => finding.verdict === verdict).length;
const counts = (checked: readonly Checked[]) => ({
  agrees: count(checked, 'agrees'),
  differs: count(checked, 'differs'),
  unseen: count(checked, 'unseen'),
});

interface Assumption {
  id: string;
  basis: Basis;
  verdict: Verdict;
  checks: readonly Checked[];
}

/** The rows of docs/assumptions.md in order: one that differs anywhere differs. */
function assumptions({ checked }: Report): Assumption[] {
  const byRow = Map.groupBy(
    checked.filter(({ inferred }) => inferred !== undefined),
    ({ inferred }) => String(inferred),
  );
  return [...byRow]
    .map(([id, checks]) => {
      const found = counts(checks);
      const verdict: Verdict = found.differs > 0 ? 'differs' : found.agrees > 0 ? 'agrees' : 'unseen';
      return { id, basis: basisOf({ inferred: id as `A${number}` }), verdict, checks };
    })
    .sort((a, b) => Number(a.id.slice(1)) - Number(b.id.slice(1)));
}

/** The report for machines. */
function toJson(report: Report, baseUrl: string): string {
  const flat = ({ finding, ...rest }: Checked) => ({ ...rest, basis: basisOf(rest), ...finding });
  const rows = assumptions(report);
  const verdicts = (verdict: Verdict) => rows.filter((row) => row.verdict === verdict).length;
  const value = {
    baseUrl: shown(baseUrl),
    summary: {
      ...counts(ofSpec(report)),
      assumptions: { hold: verdicts('agrees'), differ: verdicts('differs'), unseen: verdicts('unseen') },
    },
    requests: report.requests,
    notes: report.notes,
    checks: ofSpec(report).map(flat),
    assumptions: rows.map(({ id, basis, verdict, checks }) => ({
      ...{ id, basis, verdict },
      checks: checks.map(flat),
    })),
  };
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** The report for a person. */
function toText(report: Report, baseUrl: string): string {
  const blocks = [
    `${pc.bold(`Conformidad de ${shown(baseUrl)} con la especificación`)} (ambiente 1, ${report.requests} solicitudes)`,
    sections(report),
    ...list('Difiere', differences(report).map(difference)),
    ...list('No se pudo ver', unseenRows(report)),
    pc.bold('Supuestos sobre lo que la especificación no muestra (informativo)'),
    ...assumptions(report).map(assumption),
    ...report.notes.map((note) => pc.yellow(note)),
    conclusion(report),
  ];
  return `${blocks.join('\n')}\n`;
}

function sections(report: Report): string {
  const table = new Table({
    head: ['Sección', 'Concuerda', 'Difiere', 'No se ve'].map((title) => pc.bold(title)),
    colAligns: ['left', 'right', 'right', 'right'],
    style: { head: [], border: [], compact: true },
  });
  for (const [section, checked] of Map.groupBy(ofSpec(report), (one) => one.section)) {
    const { agrees, differs, unseen } = counts(checked);
    table.push([section, agrees, differs > 0 ? pc.red(String(differs)) : 0, unseen]);
  }
  return table.toString();
}

const list = (title: string, rows: readonly string[]) =>
  rows.length === 0 ? [] : [pc.bold(title), ...rows, ''];

function difference({ title, row, finding }: Checked): string {
  const { expected, seen } = finding as Extract<Finding, { verdict: 'differs' }>;
  return `  ${pc.red('✗')} ${title} ${pc.dim(`[${row}]`)}\n      esperado: ${expected}\n      visto:    ${seen}`;
}

/** One line per reason, so that a missing option is named once. */
function unseenRows(report: Report): string[] {
  const unseen = ofSpec(report).flatMap(({ title, finding }) =>
    finding.verdict === 'unseen' ? [{ title, why: finding.why }] : [],
  );
  return [...Map.groupBy(unseen, ({ why }) => why)].map(([why, rows]) => {
    const what =
      rows.length > 3 ? `${rows.length} comprobaciones` : rows.map(({ title }) => title).join('; ');
    return `  ${pc.yellow('?')} ${what}\n      ${pc.dim(why)}`;
  });
}

const basisWords: Readonly<Record<Basis, string>> = {
  spec: 'de la especificación',
  described: 'descrito en público',
  inferred: 'inferido',
};

function assumption({ id, basis, verdict, checks }: Assumption): string {
  const words = { agrees: pc.green('se cumple'), differs: pc.yellow('difiere'), unseen: pc.dim('no se ve') };
  const reported = checks.filter(({ finding }) => finding.verdict === verdict);
  const rows = reported.map(({ title, finding }) => {
    if (finding.verdict === 'differs') return `${title}; visto: ${finding.seen}`;
    return `${title}; ${finding.verdict === 'agrees' ? (finding.note ?? 'visto') : finding.why}`;
  });
  return `  ${id.padEnd(4)}${words[verdict]} (${basisWords[basis]})\n${rows.map((row) => `      ${pc.dim(row)}`).join('\n')}`;
}

function conclusion(report: Report): string {
  const { agrees, differs, unseen } = counts(ofSpec(report));
  if (differs > 0)
    return pc.red(`${differs} de ${agrees + differs} comprobaciones difieren de la especificación.`);
  return pc.green(`Nada difiere: ${agrees} comprobaciones concuerdan y ${unseen} no se pudieron ver.`);
}

/** An address may carry a password. */
function shown(baseUrl: string): string {
  const { origin, pathname } = new URL(baseUrl);
  return `${origin}${pathname}`.replace(/(?<!\/)\/+$/, '');
}

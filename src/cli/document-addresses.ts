import { z } from 'zod';
import { openClock } from '../config/clock.ts';
import { type Config, loadConfig } from '../config/load.ts';
import { openSecrets } from '../config/secret.ts';
import { type Document, type DocumentKind, documentNumber } from '../core/document.ts';
import { LedgerError } from '../core/errors.ts';
import { silentLog } from '../core/log.ts';
import { openLinks } from '../http/links.ts';
import { revokeUse } from '../http/revoke-door.ts';
import { openTickets } from '../http/tickets.ts';
import { openLedger } from '../ledger/open.ts';
import { openLedgerReader } from '../ledger/read.ts';
import { openSettings } from '../settings.ts';
import { revokeLinks } from '../steps/revoke-links.ts';
import { findDocument } from './find-document.ts';

export interface LinksFlags {
  config?: string;
  store?: string;
  kind?: DocumentKind;
  json: boolean;
}

const load = ({ config: path }: LinksFlags) =>
  loadConfig({ ...(path ? { path } : {}), cwd: process.cwd(), env: process.env });

/** The links that work now; beside `start`, changing nothing. Throws LedgerError for what is not known. */
export async function showLinks(name: string, flags: LinksFlags): Promise<string> {
  const config = await load(flags);
  const { document, version } = await look(config, name, flags);
  return tell(config, document, version, flags);
}

/** Ends every link given out so far, by the running process where one holds the ledger, and tells the new ones. */
export async function revoke(name: string, flags: LinksFlags): Promise<string> {
  const config = await load(flags);
  const { document } = await look(config, name, flags);
  const clock = openClock(config.testClock);
  const { seal } = await openSecrets(config);
  const ledger = await openLedger({ ...config.ledger, sealKey: seal }, clock, silentLog).catch((error) => {
    if (error instanceof LedgerError && error.code === 'ledger-held') return null;
    throw error;
  });
  if (ledger === null) return tell(config, document, await askRunning(config, document.id), flags);
  try {
    return await tell(config, document, await revokeLinks({ ledger, clock }, document), flags);
  } finally {
    await ledger.close();
  }
}

async function look(config: Config, name: string, flags: LinksFlags) {
  const settings = await openSettings(config);
  const reader = openLedgerReader(config.ledger, silentLog);
  try {
    const document = await findDocument(reader, settings, name, flags);
    return { document, version: await reader.linkVersions.of(document.id) };
  } finally {
    await reader.close();
  }
}

async function tell(
  config: Config,
  document: Document,
  version: number,
  { json }: LinksFlags,
): Promise<string> {
  const links = openLinks((await openSecrets(config)).links, config.publicUrl);
  const of = (make: (id: string, version: number) => string) => make(document.id, version);
  const urls = { pageUrl: of(links.page), pdfUrl: of(links.pdf), xmlUrl: of(links.xml) };
  const number = documentNumber(document);
  if (json) return `${JSON.stringify({ document: document.id, number, version, ...urls }, null, 2)}\n`;
  const state = document.state === 'authorized' ? '' : 'Sirven cuando el SRI lo autorice.\n';
  return `Documento ${number ?? document.id} del pedido ${document.orderName}\n${state}Página: ${urls.pageUrl}\nPDF:    ${urls.pdfUrl}\nXML:    ${urls.xmlUrl}\n`;
}

/** Through the door of `start` on this machine. */
async function askRunning(config: Config, documentId: string): Promise<number> {
  const clock = openClock(config.testClock);
  const tickets = openTickets((await openSecrets(config)).tickets, clock);
  const ticket = tickets.issue(revokeUse(documentId), new Date(clock.now().getTime() + 60_000));
  const answer = await fetch(`http://127.0.0.1:${config.port}/links/${documentId}/revoke`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ticket}`, connection: 'close' },
    redirect: 'error',
    signal: AbortSignal.timeout(30_000),
  }).catch(() => null);
  const said = z.object({ version: z.int() }).safeParse(await answer?.json().catch(() => null));
  if (answer?.ok && said.success) return said.data.version;
  throw new LedgerError(
    'start-unheard',
    `El registro lo tiene facturapuente start y no atiende en el puerto ${config.port} de esta máquina: si lo inició con otro --port, escríbalo en «port»; si no, deténgalo y repita.`,
    `The ledger is held, and nobody who can read our ticket answers on port ${config.port}; set \`port\`, or stop start and repeat.`,
  );
}

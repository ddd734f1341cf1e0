import { type Command, InvalidArgumentError, Option } from 'commander';
import type { LawOn, LawRow } from '../../mappers/tables/law.ts';
import { type Day, ecuadorDay, startOfEcuadorDay } from '../domain/clock.ts';
import { documentStates } from '../domain/document.ts';
import type { CloseFlags, ExportFlags } from './accounting.ts';
import type { DocumentsFlags } from './document-list.ts';
import type { IdentificationFlags, LinksFlags } from './links.ts';
import { commandOf, documentCommand, isDay, orderCommand, parseCount, parseDay } from './options.ts';
import type { TimelineFlags } from './order-timeline.ts';
import type { ConfigFlag } from './own-ledger.ts';
import type { BuyerFlags } from './privacy.ts';
import type { RehearseFlags } from './rehearsal.ts';
import type { ShopFlags } from './shop-access.ts';
import { endingWith } from './spanish.ts';
import type { BundleFlags } from './support/bundle.ts';
import type { SyncFlags } from './sync-stores.ts';

// Each action loads what it runs, so that a command starts without the rest of the product.

interface DocumentFlags extends ConfigFlag {
  store?: string;
  kind?: string;
}

/** `facturapuente retry`: a person has resolved what stopped a document. */
export function addRetryCommand(program: Command): void {
  documentCommand(program, 'retry')
    .description(
      'Intenta otra vez un documento retenido, rechazado o que espera a una persona, cuando la causa ya está corregida. Funciona con facturapuente start en marcha.',
    )
    .option(
      '--new-number',
      'usted responde por que la venta no tiene ningún comprobante en el servicio ni en el SRI: se pregunta una vez más y se emite con otro número',
      false,
    )
    .option(
      '--accept',
      'usted comprobó que lo que la tienda dice ahora es cierto: que es otra venta u otro reembolso con un id repetido, que se cobró el total de ahora, que la clave de acceso del pedido es de otra venta, o que se cobró aparte de los pedidos que venden lo mismo',
      false,
    )
    .action(
      async (
        document: string,
        { config, ...how }: DocumentFlags & { newNumber: boolean; accept: boolean },
      ) => {
        const { runCommand } = await import('./carry-out.ts');
        await runCommand('retry', { document, ...how }, { config });
      },
    );
}

/** `facturapuente adopt`: the access key of a document that only a person could find. */
export function addAdoptCommand(program: Command): void {
  documentCommand(program, 'adopt')
    .description(
      'Da a un documento la clave de acceso con la que ya fue autorizado, cuando nadie más la conoce. Funciona con facturapuente start en marcha.',
    )
    .argument('<clave>', 'los 49 dígitos de la clave de acceso')
    .option(
      '--unverified',
      'usted responde por la clave: para un documento que el servicio no muestra',
      false,
    )
    .action(
      async (
        document: string,
        accessKey: string,
        { config, unverified, ...which }: DocumentFlags & { unverified: boolean },
      ) => {
        const { runCommand } = await import('./carry-out.ts');
        await runCommand('adopt', { document, accessKey, ...which, vouched: unverified }, { config });
      },
    );
}

/** `facturapuente links show|revoke`: the addresses of a document. */
export function addLinksCommands(program: Command): void {
  const links = program.command('links').description('Los enlaces de un documento autorizado.');
  documentCommand(links, 'show')
    .description('Muestra los enlaces que sirven ahora.')
    .option('--json', 'imprime un objeto JSON', false)
    .action(async (document: string, flags: LinksFlags) => {
      const { showLinks } = await import('./links.ts');
      process.stdout.write(await showLinks(document, flags));
    });
  documentCommand(links, 'revoke')
    .description(
      'Anula todos los enlaces entregados y escribe los nuevos en el pedido; también con start en marcha.',
    )
    .option('--json', 'imprime un objeto JSON', false)
    .action(async (document: string, flags: LinksFlags) => {
      const { revokeLinks } = await import('./links.ts');
      process.stdout.write(await revokeLinks(document, flags));
    });
}

/** `facturapuente identification-link`: for the person who writes to the buyer. */
export function addIdentificationLinkCommand(program: Command): void {
  orderCommand(program, 'identification-link')
    .description(
      'Muestra el enlace donde el comprador de un pedido retenido da su identificación, y un texto para WhatsApp.',
    )
    .option('--json', 'imprime un objeto JSON', false)
    .action(async (order: string, flags: IdentificationFlags) => {
      const { identificationLink } = await import('./links.ts');
      process.stdout.write(await identificationLink(order, flags));
    });
}

/** `facturapuente documents`: what the ledger holds. */
export function addDocumentsCommand(program: Command): void {
  commandOf(program, 'documents')
    .description(
      'Lista los documentos del registro con su estado y el motivo de los que esperan a una persona.',
    )
    .addOption(
      new Option('--state <estado...>', 'solo estos estados').choices(documentStates).default([], 'todos'),
    )
    .option('--limit <número>', 'cuántos, los más nuevos primero', parseCount, 50)
    .option('--json', 'imprime una lista JSON', false)
    .action(async (flags: DocumentsFlags) => {
      const { listDocuments } = await import('./document-list.ts');
      process.stdout.write(await listDocuments(flags));
    });
}

/** `facturapuente explain`: the timeline of an order. */
export function addExplainCommand(program: Command): void {
  orderCommand(program, 'explain')
    .description(
      'Cuenta todo lo que se sabe de un pedido: qué le corresponde y por qué, cada envío, cada cambio de estado y lo que falta.',
    )
    .option('--json', 'imprime JSON, sin los datos del comprador', false)
    .action(async (order: string, flags: TimelineFlags) => {
      const { reportOrder } = await import('./order-timeline.ts');
      process.stdout.write(await reportOrder(order, flags));
    });
}

/** `facturapuente support-bundle`: an order without personal data, to ask for help. */
export function addSupportBundleCommand(program: Command): void {
  orderCommand(program, 'support-bundle')
    .description(
      'Escribe un archivo con todo lo que pasó con un pedido y sin datos personales ni claves, para pedir ayuda.',
    )
    .option('--out <archivo>', 'dónde escribirlo; por defecto soporte-<pedido>.json')
    .action(async (order: string, flags: BundleFlags) => {
      const { writeBundle } = await import('./support/bundle.ts');
      process.stdout.write(await writeBundle(order, flags));
    });
}

/** `facturapuente close`: compares one day of shop, ledger and service. */
export function addCloseCommand(program: Command): void {
  commandOf(program, 'close')
    .description(
      'Cierra un día: compara, documento por documento y al centavo, lo que vendieron las tiendas, lo que se emitió y lo que tiene el servicio. Termina con 0 si cuadra, 1 si no, 2 si alguien no respondió o no se le puede preguntar.',
    )
    .option('--date <día>', 'el día en Ecuador (2026-11-20); por defecto, ayer', parseDay)
    .option('--store <tienda>', 'solo esta tienda; por defecto, todas')
    .option('--save', 'firma el cierre y lo guarda en el registro', false)
    .option('--json', 'imprime el cierre como JSON', false)
    .option('--verify', 'en vez de cerrar, comprueba la cadena de los cierres guardados', false)
    .option('--public-key', 'en vez de cerrar, imprime la clave pública con la que se comprueban', false)
    .action(async (flags: CloseFlags) => {
      const { runClose } = await import('./accounting.ts');
      const { text, code } = await endingWith(2, () => runClose(flags));
      process.stdout.write(text);
      process.exitCode = code;
    });
}

/** `facturapuente export`: a month for the accountant. */
export function addExportCommand(program: Command): void {
  commandOf(program, 'export')
    .description(
      'Exporta un mes para el contador: un ZIP con el XML y el PDF de cada comprobante autorizado y las tablas de facturas, notas de crédito, IVA y huecos de numeración. Termina con 1 si falta algún archivo.',
    )
    .requiredOption('--month <mes>', 'por ejemplo 2026-11', parseMonth)
    .option('--out <archivo>', 'por defecto comprobantes-<mes>.zip en esta carpeta')
    .option('--store <tienda>', 'solo esta tienda; por defecto, todas')
    .option('--ruc <ruc>', 'solo este emisor; por defecto, todos')
    .option('--plain', 'tablas para programas (RFC 4180, punto decimal) en vez de para Excel', false)
    .option('--json', 'imprime lo que se exportó como JSON', false)
    .action(async (flags: ExportFlags) => {
      const { runExport } = await import('./accounting.ts');
      const { text, code } = await runExport(flags);
      process.stdout.write(text);
      process.exitCode = code;
    });
}

function parseMonth(text: string): string {
  if (/^\d{4}-(0[1-9]|1[0-2])$/.test(text)) return text;
  throw new InvalidArgumentError('Es un mes, por ejemplo 2026-11.');
}

/** `facturapuente rehearse`: the past orders of a shop, mapped and planned; nothing is sent or written. */
export function addRehearseCommand(program: Command): void {
  commandOf(program, 'rehearse')
    .description(
      'Ensayo: pasa los pedidos y reembolsos ya hechos de una tienda por las reglas de facturación, sin enviar ni escribir nada, y deja un informe.',
    )
    .option('--since <cuánto>', 'desde hace cuánto (90d) o desde qué día (2026-08-01)', parseSince, {
      days: 90,
    })
    .option('--store <tienda>', 'tienda de la configuración; se puede omitir si solo hay una')
    .option('--out <archivo>', 'dónde dejar el informe HTML; por defecto ensayo-<tienda>.html')
    .option('--most <pedidos>', 'lee a lo sumo tantos pedidos, los más recientes', parseCount, 20_000)
    .option('--json', 'imprime un objeto JSON, con cada documento', false)
    .action(async (flags: RehearseFlags) => {
      const { rehearseStore } = await import('./rehearsal.ts');
      process.stdout.write(await rehearseStore(flags));
    });
}

function parseSince(text: string): RehearseFlags['since'] {
  const days = /^(\d{1,4})d$/.exec(text)?.[1];
  if (days !== undefined && Number(days) > 0) return { days: Number(days) };
  if (isDay(text)) return { day: text };
  throw new InvalidArgumentError('Escriba cuántos días, como 90d, o un día, como 2026-08-01.');
}

/** `facturapuente lint-catalog`: products that cannot be invoiced yet. */
export function addLintCatalogCommand(program: Command): void {
  commandOf(program, 'lint-catalog')
    .description(
      'Revisa los productos de una tienda: cuáles no tienen un impuesto que se pueda facturar, y qué regla les falta. Termina en 1 si hay alguno.',
    )
    .option('--store <tienda>', 'tienda de la configuración; se puede omitir si solo hay una')
    .option('--json', 'imprime un objeto JSON', false)
    .action(async ({ json, ...flags }: ShopFlags & { json: boolean }) => {
      const { lintStore } = await import('./rehearsal.ts');
      const { catalogText } = await import('../reports/rehearsal/lint-catalog.ts');
      const report = await lintStore(flags);
      process.stdout.write(json ? `${JSON.stringify(report, null, 2)}\n` : catalogText(report));
      if (report.findings.length > 0) process.exitCode = 1;
    });
}

/** `facturapuente law`: the tables in force on a day, and what changes next. Needs no config. */
export function addLawCommand(program: Command): void {
  program
    .command('law')
    .description(
      'Muestra las tablas de la norma con las que se decide, vigentes en un día, y lo que cambia después. No necesita configuración.',
    )
    .option('--on <día>', 'AAAA-MM-DD; por defecto, hoy en Ecuador', parseDay)
    .option('--json', 'imprime un objeto JSON', false)
    .action(async ({ on, json }: { on?: Day; json: boolean }) => {
      const { lawOn } = await import('../../mappers/tables/law.ts');
      const law = lawOn(on ?? ecuadorDay(new Date()));
      process.stdout.write(json ? `${JSON.stringify(law, null, 2)}\n` : lawText(law));
    });
}

/** Tables with their rows, each with its dates, source and last check; then what changes. */
function lawText({ on, inForce, next }: LawOn): string {
  const tables = inForce
    .filter(({ rows }) => rows.length > 0)
    .flatMap(({ title, rows }) => ['', title, ...rows.flatMap(rowText)]);
  const changes = next.map(
    ({ at, what, table, row }) => `  ${at}  ${words[what]} ${row.code} ${row.says} (${table})`,
  );
  if (changes.length === 0) changes.push('  Nada conocido.');
  return `${[`Vigente el ${on}`, ...tables, '', 'Lo que cambia después', ...changes].join('\n')}\n`;
}

const words = { begins: 'empieza:', ends: 'deja de regir:', only: 'solo ese día:' };

function rowText({ code, says, since, until, source, checkedOn }: LawRow): string[] {
  const dates = [since && `desde ${since}`, until && `hasta ${until}`].filter(Boolean).join(' ');
  return [`  ${code}  ${says}${dates ? `, ${dates}` : ''}`, `      ${source}; comprobado el ${checkedOn}`];
}

/** `facturapuente sync`: reconciles the shops now; a running `start` does so by itself. */
export function addSyncCommand(program: Command): void {
  commandOf(program, 'sync')
    .description('Pregunta ahora a las tiendas por los pedidos y reembolsos que ningún webhook avisó.')
    .option('--store <tienda>', 'solo esta tienda; por defecto, todas')
    .option(
      '--since <instante>',
      'desde este día (2026-11-01) o instante con zona; por defecto, desde donde quedó la última búsqueda',
      parseInstant,
    )
    .action(async (flags: SyncFlags) => {
      const { reconcileStores } = await import('./sync-stores.ts');
      const { text, failed } = await reconcileStores(flags);
      process.stdout.write(text);
      if (failed) process.exitCode = 1;
    });
}

function parseInstant(text: string): Date {
  if (isDay(text)) return startOfEcuadorDay(text);
  const time = /(Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(time)) return new Date(time);
  throw new InvalidArgumentError(
    'Es un día (2026-11-01) o un instante con zona (2026-11-01T08:00:00-05:00).',
  );
}

/** `facturapuente privacy`: requests of buyers, by their shop or made to the merchant. */
export function addPrivacyCommand(program: Command): void {
  const privacy = program
    .command('privacy')
    .description('Atiende a los compradores que preguntan por sus datos o piden que se borren.');
  commandOf(privacy, 'list')
    .description('Lista lo que pidieron a través de su tienda y lo que se hizo.')
    .action(async (flags: ConfigFlag) => {
      const { listRequests } = await import('./privacy.ts');
      process.stdout.write(await listRequests(flags));
    });
  const buyerCommand = (name: string) =>
    commandOf(privacy, name)
      .option('--store <tienda>', 'la tienda en la que compró, si lo pide él mismo')
      .option('--email <correo>', 'el correo con el que compró')
      .option('--phone <teléfono>', 'el teléfono con el que compró')
      .option('--order <id...>', 'ids de sus pedidos en la tienda');
  buyerCommand('export')
    .description('Escribe en un archivo los datos que se guardan de un comprador.')
    .argument('[solicitud]', 'el número que da «privacy list»', parseRequest)
    .option('--out <archivo>', 'dónde se escribe; por defecto datos-comprador-<solicitud o tienda>.json')
    .action(async (request: string | undefined, flags: BuyerFlags & { out?: string }) => {
      const { exportBuyer } = await import('./privacy.ts');
      process.stdout.write(await exportBuyer(request, flags));
    });
  buyerCommand('erase')
    .description('Borra de un comprador lo que la ley no obliga a conservar, y dice qué se conserva.')
    .action(async (flags: BuyerFlags) => {
      const { eraseBuyer } = await import('./privacy.ts');
      const { done, says } = await eraseBuyer(flags);
      process.stdout.write(`${says}\n`);
      if (!done) process.exitCode = 1;
    });
}

function parseRequest(text: string): string {
  if (/^\d{1,18}$/.test(text)) return text;
  throw new InvalidArgumentError('Es el número que da «privacy list».');
}

/** `facturapuente alerts` and `alerts clear`: the open alerts, and those that only a person can end. */
export function addAlertsCommands(program: Command): void {
  const alerts = program.command('alerts').description('Los avisos de lo que una persona debe saber.');
  commandOf(alerts, 'list', { isDefault: true })
    .description(
      'Muestra los avisos abiertos, cada uno con lo que hay que hacer; «alerts» a secas es lo mismo.',
    )
    .option('--json', 'imprime una lista JSON', false)
    .action(async (flags: ConfigFlag & { json: boolean }) => {
      const { listAlerts } = await import('./alert-list.ts');
      process.stdout.write(await listAlerts(flags));
    });
  commandOf(alerts, 'clear')
    .description(
      'Da por revisado un aviso que solo una persona puede terminar; los demás terminan con su causa. Funciona con facturapuente start en marcha.',
    )
    .argument('<código>', 'el código del aviso, por ejemplo document-differs')
    .argument('<asunto>', 'de qué es el aviso, como lo muestra facturapuente alerts')
    .action(async (code: string, subject: string, flags: ConfigFlag) => {
      const { runCommand } = await import('./carry-out.ts');
      await runCommand('clear-alert', { code, subject }, flags);
    });
}

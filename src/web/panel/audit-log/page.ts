import { z } from 'zod';
import type { Document } from '../../../domain/document.ts';
import { type Html, html, type Piece } from '../../../domain/text.ts';
import type { KeptAuditEntry } from '../../../ledger/audit-log.ts';
import { documentPath } from '../document/parts.ts';
import { moment } from '../show.ts';
import { inBoth, type PanelPage, plural, type Visit } from '../visit.ts';

const auditLogWords = inBoth({
  nav: ['Auditoría', 'Audit log'],
  title: ['Quién hizo qué', 'Who did what'],
  lead: [
    'Lo que las personas hicieron en el panel y en la línea de comandos, lo más nuevo primero. No guarda datos de compradores.',
    'What people did in the panel and on the command line, newest first. It holds no buyers’ data.',
  ],
  subjectIs: ['sobre', 'about'],
  order: [(name: string) => `pedido ${name}`, (name: string) => `order ${name}`],
  nobody: ['usuario desconocido', 'unknown user'],
  attempts: [
    (n: number, from: string) => `${plural(n, 'intento', 'intentos')} en una hora, desde ${from}`,
    (n: number, from: string) => `${plural(n, 'attempt', 'attempts')} within an hour, from ${from}`,
  ],
  actions: {
    'sign-in': ['Inicio de sesión', 'Sign-in'],
    'sign-out': ['Cierre de sesión', 'Sign-out'],
    'wrong-password': ['Contraseña incorrecta', 'Wrong password'],
    'wrong-code': ['Código incorrecto tras la contraseña correcta', 'Wrong code after the right password'],
    'second-factor': ['Activar la verificación en dos pasos', 'Turn on two-step verification'],
    'recovery-codes': ['Nuevos códigos de recuperación', 'New recovery codes'],
    'reset-second-factor': ['Restablecer la verificación en dos pasos', 'Reset two-step verification'],
    'not-allowed': ['Intento sin permiso', 'Attempt without permission'],
    retry: ['Intentar otra vez', 'Retry'],
    'new-number': ['Autorizar otro número', 'Authorise another number'],
    reprocess: ['Reprocesar en el SRI', 'Reprocess at the SRI'],
    identify: ['Ingresar la identificación', 'Enter the identification'],
    'mail-buyer': ['Enviar el enlace al comprador', 'Mail the buyer the link'],
    adopt: ['Ingresar la clave de acceso', 'Enter the access key'],
    'revoke-links': ['Anular enlaces', 'Revoke links'],
    'probe-account': ['Probar la cuenta', 'Probe the account'],
    'clear-alert': ['Aviso revisado', 'Alert reviewed'],
    'buyer-answered': ['Datos entregados al comprador', 'Data given to the buyer'],
    'forget-buyer': ['Borrar los datos de un comprador', 'Erase a buyer’s data'],
    'sync-order': ['Actualizar un pedido desde la tienda', 'Read an order again'],
    assistant: ['Solicitud de un asistente', 'Request of an assistant'],
    reencrypt: ['Proteger con la clave nueva', 'Encrypt under the new key'],
    'store-add': ['Registrar una tienda', 'Register a store'],
    'store-remove': ['Quitar una tienda', 'Remove a store'],
    'store-confirm': ['Decidir qué es una tienda retenida', 'Decide what a held store is'],
    close: ['Cierre del día', 'Close of the day'],
    export: ['Exportar un mes', 'Export of a month'],
    install: ['Instalar en la tienda', 'Install at the shop'],
    uninstall: ['Desinstalar de la tienda', 'Uninstall from the shop'],
    'install-service': ['Instalar en el servicio', 'Install at the service'],
    sync: ['Sincronizar', 'Sync'],
    move: ['Mover el registro a PostgreSQL', 'Move the ledger to PostgreSQL'],
  },
  outcomes: {
    done: ['hecho', 'done'],
    nothing: ['sin cambios', 'no change'],
    refused: ['rechazado', 'refused'],
    failed: ['falló', 'failed'],
  },
  older: ['Ver anteriores', 'Show older'],
  newest: ['Ir a lo más nuevo', 'Go to the newest'],
  empty: ['Todavía no hay nada más que mostrar.', 'There is nothing more to show yet.'],
});

const perPage = 50;

/** `/panel/registro`: who did what, newest first. */
export const auditLogPage: PanelPage = {
  path: '/registro',
  role: 'configure',
  nav: { order: 9, label: { es: auditLogWords.es.nav, en: auditLogWords.en.nav } },
  async show(visit) {
    const words = auditLogWords[visit.language];
    const asked = visit.query.get('antes') ?? '';
    const before = /^\d{1,15}$/.test(asked) ? asked : undefined;
    const auditLog = await visit.deps.ledger.auditLog.list({
      limit: perPage + 1,
      ...(before !== undefined && { before }),
    });
    const shown = auditLog.slice(0, perPage);
    const last = auditLog.length > perPage ? shown.at(-1) : undefined;
    return {
      title: words.title,
      body: html`<p class="soft">${words.lead}</p>
${shown.length === 0 ? html`<div class="empty"><p>${words.empty}</p></div>` : await list(visit, shown)}
<div class="acts">${last && html`<a class="button plain" href="${visit.at(`/registro?antes=${last.id}`)}">${words.older}</a>`}
${before !== undefined && html`<a class="quiet" href="${visit.at('/registro')}">${words.newest}</a>`}</div>`,
    };
  },
};

async function list(visit: Visit, auditLog: readonly KeptAuditEntry[]): Promise<Html> {
  const { documents } = visit.deps.ledger;
  const subjects = new Set(
    auditLog.flatMap(({ facts, subject }) => (attemptsIn(facts) ? [] : (subject ?? []))),
  );
  const found = await Promise.all(
    [...subjects].map(async (subject) => [subject, await documents.get(subject)] as const),
  );
  const about = new Map(found);
  return html`<ol class="log">${auditLog.map((entry) => row(visit, entry, about.get(entry.subject ?? '')))}</ol>`;
}

/** One entry; a document is named by its order, with a link to its timeline. */
function row(visit: Visit, entry: KeptAuditEntry, document: Document | undefined): Html {
  const { at, who, subject, outcome, facts } = entry;
  const { nobody, outcomes, subjectIs, attempts, order, actions } = auditLogWords[visit.language];
  const bad = outcome === 'refused' || outcome === 'failed';
  // The subject of failed sign-ins is a hash.
  const failed = attemptsIn(facts);
  const link =
    document && html`<a href="${visit.at(documentPath(document.id))}">${order(document.orderName)}</a>`;
  const about: Piece = failed ? attempts(failed.attempts, failed.from.join(', ')) : (link ?? subject);
  // The code of a later version has no words here.
  const action = (actions as Readonly<Record<string, string>>)[actionOf(entry)];
  return html`<li><span class="soft">${moment(at, visit)}</span><span>${who ?? nobody}</span>
<span><strong>${action ?? entry.what}</strong>${about && html` <span class="soft">${!failed && html`<span class="heard">${subjectIs} </span>`}${about}</span>`}</span>
<span class="chip${bad ? ' bad' : outcome === 'nothing' && ' warn'}">${outcomes[outcome]}</span></li>`;
}

const failedSignIns = z.object({ attempts: z.number(), from: z.array(z.string().max(64)) });

/** The counted attempts of an entry that stands for many failed sign-ins. */
const attemptsIn = (facts: unknown) => failedSignIns.safeParse(facts).data ?? null;

/** The code of what was done; a retry under a new number has its own. */
function actionOf({ what, facts }: KeptAuditEntry): string {
  return (facts as { newNumber?: boolean } | null)?.newNumber ? 'new-number' : what;
}

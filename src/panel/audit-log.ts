import { z } from 'zod';
import type { Document } from '../domain/document.ts';
import { type Html, html, type Piece } from '../domain/text.ts';
import type { KeptAuditEntry } from '../ledger/alerts.ts';
import { slugOf } from '../operations/operation.ts';
import { documentPath } from './document-parts.ts';
import { moment } from './show.ts';
import { type PanelPage, plural, type Visit } from './visit.ts';

const words = {
  nav: 'Auditoría',
  title: 'Quién hizo qué',
  lead: 'Lo que las personas hicieron en el panel y en la línea de comandos, lo más nuevo primero. No guarda datos de compradores.',
  subjectIs: 'sobre',
  order: (name: string) => `pedido ${name}`,
  nobody: 'usuario desconocido',
  attempts: (n: number, from: string) => `${plural(n, 'intento', 'intentos')} en una hora, desde ${from}`,
  actions: {
    'sign-in': 'Inicio de sesión',
    'sign-out': 'Cierre de sesión',
    'wrong-password': 'Contraseña incorrecta',
    'wrong-code': 'Código incorrecto tras la contraseña correcta',
    'second-factor': 'Activar la verificación en dos pasos',
    'recovery-codes': 'Nuevos códigos de recuperación',
    'password-changed': 'Cambio de contraseña',
    'password-reset': 'Contraseña nueva por el enlace de un correo',
    'not-allowed': 'Intento sin permiso',
    install: 'Instalar en la tienda',
    uninstall: 'Desinstalar de la tienda',
    'install-service': 'Instalar en el servicio',
    move: 'Mover el registro a PostgreSQL',
  },
  outcomes: {
    done: 'hecho',
    nothing: 'sin cambios',
    refused: 'rechazado',
    failed: 'falló',
  },
  older: 'Ver anteriores',
  newest: 'Ir a lo más nuevo',
  empty: 'Todavía no hay nada más que mostrar.',
};

const perPage = 50;

export const auditLogPage: PanelPage = {
  path: '/registro',
  role: 'configure',
  nav: { order: 9, label: words.nav },
  async show(visit) {
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

function row(visit: Visit, entry: KeptAuditEntry, document: Document | undefined): Html {
  const { at, who, subject, outcome, facts } = entry;
  const { nobody, outcomes, subjectIs, attempts, order, actions } = words;
  const bad = outcome === 'refused' || outcome === 'failed';
  // The subject of failed sign-ins is a hash.
  const failed = attemptsIn(facts);
  const link =
    document && html`<a href="${visit.at(documentPath(document.id))}">${order(document.orderName)}</a>`;
  const about: Piece = failed ? attempts(failed.attempts, failed.from.join(', ')) : (link ?? subject);
  // The code of a later version has no words here.
  const operation = visit.deps.operations.find((one) => slugOf(one) === entry.what);
  const action = operation?.title ?? (actions as Readonly<Record<string, string>>)[entry.what];
  return html`<li><span class="soft">${moment(at, visit)}</span><span>${who ?? nobody}</span>
<span><strong>${action ?? entry.what}</strong>${about && html` <span class="soft">${!failed && html`<span class="hidden-text">${subjectIs} </span>`}${about}</span>`}</span>
<span class="chip${bad ? ' bad' : outcome === 'nothing' && ' warn'}">${outcomes[outcome]}</span></li>`;
}

const failedSignIns = z.object({ attempts: z.number(), from: z.array(z.string().max(64)) });

const attemptsIn = (facts: unknown) => failedSignIns.safeParse(facts).data ?? null;

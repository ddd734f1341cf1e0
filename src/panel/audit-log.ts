import { z } from 'zod';
import type { Document } from '../domain/document.ts';
import { type Html, html, type Piece } from '../domain/text.ts';
import type { KeptAuditEntry } from '../ledger/alerts.ts';
import { slugOf } from '../operations/operation.ts';
import { acts, chip, documentPath, empty, link, moment, plural, soft } from './components.ts';
import type { PanelPage, Visit } from './visit.ts';

const words = {
  lead: 'Lo que las personas hicieron en el panel y en la línea de comandos, lo más nuevo primero. No guarda datos de compradores.',
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
  outcomes: { done: 'hecho', nothing: 'sin cambios', refused: 'rechazado', failed: 'falló' },
};

const perPage = 50;

export const auditLogPage: PanelPage = {
  path: '/registro',
  role: 'configure',
  nav: { order: 9, label: 'Auditoría' },
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
      title: 'Quién hizo qué',
      body: html`${soft(words.lead)}
${shown.length === 0 ? empty('Todavía no hay nada más que mostrar.') : await list(visit, shown)}
${acts(
  last && link(visit, `/registro?antes=${last.id}`, 'Ver anteriores', { look: 'button plain' }),
  before !== undefined && link(visit, '/registro', 'Ir a lo más nuevo', { look: 'quiet' }),
)}`,
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
  const { outcomes, attempts, actions } = words;
  const tone = outcome === 'nothing' ? 'warn' : outcome === 'done' ? null : 'bad';
  // The subject of failed sign-ins is a hash.
  const failed = attemptsIn(facts);
  const toDocument = document && link(visit, documentPath(document.id), `pedido ${document.orderName}`);
  const about: Piece = failed ? attempts(failed.attempts, failed.from.join(', ')) : (toDocument ?? subject);
  // The code of a later version has no words here.
  const operation = visit.deps.operations.find((one) => slugOf(one) === entry.what);
  const action = operation?.title ?? (actions as Readonly<Record<string, string>>)[entry.what];
  return html`<li><span class="soft">${moment(at, visit)}</span><span>${who ?? 'usuario desconocido'}</span>
<span><strong>${action ?? entry.what}</strong>${about && html` <span class="soft">${!failed && html`<span class="hidden-text">sobre </span>`}${about}</span>`}</span>
${chip(outcomes[outcome], tone)}</li>`;
}

const failedSignIns = z.object({ attempts: z.number(), from: z.array(z.string().max(64)) });

const attemptsIn = (facts: unknown) => failedSignIns.safeParse(facts).data ?? null;

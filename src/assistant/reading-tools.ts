import { z } from 'zod';
import { dayMs, ecuadorDay } from '../domain/clock.ts';
import { documentFacts, theDocument, theOrder } from './facts.ts';
import { defineTool, type Tool } from './tool.ts';

const store = z.string().max(63).optional().describe('Solo esta tienda, por su nombre en la configuración.');
const most = 50;

/** The tools that read. */
export const readingTools: readonly Tool[] = [
  defineTool({
    name: 'pending_today',
    title: 'Qué requiere atención',
    description:
      'Documentos retenidos, rechazados o por decidir, cada uno con su motivo, los avisos abiertos y las cuentas en pausa. Los más antiguos primero.',
    input: z.object({ store }),
    readOnly: true,
    async run({ ledger }, { store: only }) {
      const tasks = await ledger.tasks.documents(most);
      const documents = tasks
        .map(({ document }) => document)
        .filter(({ storeId }) => only === undefined || storeId === only);
      return {
        waiting: await ledger.tasks.count(),
        documents: documents.map(documentFacts),
        alerts: (await ledger.alerts.open()).map(({ about: _about, ...alert }) => alert),
        pausedAccounts: (await ledger.pauses.list()).map(({ account, ambiente, cause, since }) => ({
          account,
          ambiente,
          cause,
          since,
        })),
      };
    },
  }),
  defineTool({
    name: 'explain_order',
    title: 'El historial de un pedido',
    description:
      'Todo lo que se sabe de un pedido: qué documentos tiene, el motivo de su estado, cada envío y las tareas pendientes. Sin datos del comprador.',
    input: z.object({ order: z.string().max(80).describe('Su número (#1001) o su id en la tienda.'), store }),
    readOnly: true,
    async run(deps, { order: name, store: only }) {
      const { order, documents, jobs } = await theOrder(deps.ledger, name, only);
      const { name: orderName, storeId, decision, syncedAt } = order;
      const decided = (decision ?? []) as { kind: string; action: string; code: string; reason: string }[];
      return {
        order: orderName,
        store: storeId,
        readAt: syncedAt,
        decision: decided.map(({ kind, action, code, reason }) => ({ kind, action, code, reason })),
        documents: documents.map(({ document, history, attempts }) => ({
          ...documentFacts(document),
          history: history.map(({ at, from, to }) => ({ at, from, to })),
          attempts: attempts.map(({ n, issueDate, total, outcome, errors, createdAt }) => ({
            n,
            issueDate,
            total,
            outcome,
            errors,
            createdAt,
          })),
        })),
        pendingJobs: jobs,
      };
    },
  }),
  defineTool({
    name: 'find_document',
    title: 'Buscar un documento',
    description:
      'Una factura o nota de crédito por su número (001-001-000000123), su clave de acceso o su id.',
    input: z.object({ document: z.string().max(80) }),
    readOnly: true,
    async run(deps, { document }) {
      return documentFacts(await theDocument(deps, document));
    },
  }),
  defineTool({
    name: 'day_close',
    title: 'El cierre de un día',
    description:
      'Compara, documento por documento y al centavo, lo que vendieron las tiendas, lo emitido y lo que tiene el servicio. No guarda nada.',
    input: z.object({
      date: z.iso.date().optional().describe('El día en Ecuador, 2026-11-20; por defecto, ayer.'),
      store,
    }),
    readOnly: true,
    async run({ closeDay, clock }, { date, store: only }) {
      const yesterday = ecuadorDay(new Date(clock.now().getTime() - dayMs));
      const { close, explained } = await closeDay({ day: date ?? yesterday, store: only });
      return { close, explained };
    },
  }),
];

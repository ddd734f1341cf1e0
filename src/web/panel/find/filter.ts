import { z } from 'zod';
import { startOfEcuadorDay } from '../../../domain/calendar.ts';
import { documentKinds, documentStates } from '../../../domain/document.ts';
import { type Html, html } from '../../../domain/html.ts';
import type { DocumentFilter, PagePlace } from '../../../ledger/document-pages.ts';
import { documentWords } from '../document/words.ts';
import type { Visit } from '../visit.ts';
import { findWords } from './words.ts';

const dayMs = 24 * 3_600_000;
const day = z.iso.date().optional().catch(undefined);

/** What the address says; whatever cannot be meant is as if it were not there. */
const asked = z.object({
  q: z.string().max(80).catch(''),
  tienda: z.string().min(1).max(63).optional().catch(undefined),
  estado: z.enum(documentStates).optional().catch(undefined),
  tipo: z.enum(documentKinds).optional().catch(undefined),
  desde: day,
  hasta: day,
  sigue: z
    .string()
    .regex(/^\d{4}-\d\d-\d\dT[\d:.]{1,14}Z~[\w-]{0,60}$/)
    .optional()
    .catch(undefined),
});
export type Asked = z.output<typeof asked>;

export const readAsked = ({ query }: Visit): Asked =>
  asked.parse({ q: '', ...Object.fromEntries([...query].filter(([, value]) => value !== '')) });

export function filterOf({ tienda, estado, tipo, desde, hasta }: Asked): DocumentFilter {
  return {
    ...(tienda !== undefined && { storeId: tienda }),
    ...(estado !== undefined && { state: estado }),
    ...(tipo !== undefined && { kind: tipo }),
    ...(desde !== undefined && { from: startOfEcuadorDay(desde) }),
    ...(hasta !== undefined && { before: new Date(startOfEcuadorDay(hasta).getTime() + dayMs) }),
  };
}

export function placeOf({ sigue }: Asked): PagePlace | null {
  const [createdAt, id = ''] = sigue?.split('~') ?? [];
  return createdAt === undefined ? null : { createdAt, id };
}

/** The address of the next page, with the same filter. */
export function nextPath(of: Asked, next: PagePlace): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(of)) if (value) query.set(name, value);
  query.set('sigue', `${next.createdAt}~${next.id}`);
  return `/buscar?${query}`;
}

/** The one box, and behind it what the list keeps to. */
export function findForm({ language, deps, at }: Visit, of: Asked): Html {
  const words = findWords[language];
  const { states } = documentWords[language];
  const option = (value: string, label: string, chosen: string | undefined) =>
    html`<option value="${value}"${value === (chosen ?? '') && html` selected`}>${label}</option>`;
  const stores = [...deps.settings.stores.keys()];
  const narrowed = [of.tienda, of.estado, of.tipo, of.desde, of.hasta].some((one) => one !== undefined);
  return html`<form class="find" method="get" action="${at('/buscar')}" role="search">
<label for="q">${words.label}</label>
<div class="one"><input type="search" id="q" name="q" value="${of.q}" maxlength="80" autocomplete="off" autocapitalize="none" spellcheck="false" aria-describedby="q-ayuda"><button type="submit">${words.submit}</button></div>
<p class="hint" id="q-ayuda">${words.hint}</p>
<details class="fold"${narrowed && html` open`}><summary>${words.filters}</summary><div class="filters">
<div><label for="tienda">${words.store}</label><select id="tienda" name="tienda">${option('', words.all, of.tienda)}${stores.map((id) => option(id, id, of.tienda))}</select></div>
<div><label for="estado">${words.state}</label><select id="estado" name="estado">${option('', words.any, of.estado)}${documentStates.map((state) => option(state, states[state].name, of.estado))}</select></div>
<div><label for="tipo">${words.kind}</label><select id="tipo" name="tipo">${option('', words.any, of.tipo)}${documentKinds.map((kind) => option(kind, words.kinds[kind], of.tipo))}</select></div>
<div><label for="desde">${words.from}</label><input type="date" id="desde" name="desde" value="${of.desde ?? ''}"></div>
<div><label for="hasta">${words.to}</label><input type="date" id="hasta" name="hasta" value="${of.hasta ?? ''}"></div>
<div class="acts"><button type="submit" class="plain">${words.apply}</button><a class="quiet" href="${at('/buscar')}">${words.clear}</a></div></div></details>
</form>`;
}

import { toolsOf } from '../../../src/assistant/tools.ts';
import { allOperations } from '../../../src/operations/all.ts';
import { panelPages } from '../../support/panel-tables.ts';
import type { Reader } from './cost.ts';
import { asForm, fitting, formRoom, formsOf, formType, send } from './http.ts';
import { type Sold, type Stage, storeId, textsAtOnce } from './stage.ts';

const allTools = toolsOf({ all: allOperations });

/** Where each page of the panel stands once orders were sold; those of one document three times. */
export function pathsOf({ documents }: Sold): Map<string, string> {
  const paths = panelPages.flatMap(({ path }): [string, string][] => {
    // Every document of a month, whose XML `plainReaders` has.
    if (path === '/cierre/mes') return [];
    if (!path.includes(':')) return [[path, path]];
    return Object.entries(documents).map(([what, { id, orderId }]) => [
      `${path} (${what})`,
      path.includes(':store')
        ? path.replace(':store', storeId).replace(':id', orderId)
        : path.replace(':id', id),
    ]);
  });
  const { orderName } = documents.held;
  return new Map(
    [...paths, ['/buscar?q=', `/buscar?q=${encodeURIComponent(orderName)}`]].map(([name = '', path = '']) => [
      name,
      `/panel${path}`,
    ]),
  );
}

/**
 * Pages and tools that show what is stored, and the form that asks a buyer: every text of three orders and of the
 * service's words about one is long.
 */
export async function openPageReaders(stage: Stage): Promise<readonly Reader[]> {
  const { url, visitor, assistant, links } = stage;
  const short = await stage.sell('x');
  let long: { text: string; sold: Sold } | null = null;
  const soldWith = async (text: string): Promise<Sold> => {
    if (text === 'x') return short;
    if (long?.text === text) return long.sold;
    if (long) await stage.letGo(long.sold);
    long = { text, sold: await stage.sell(text) };
    return long.sold;
  };

  const places = new Map<string, (sold: Sold, text: string) => () => Promise<unknown>>();
  const page = (name: string, pathOf: (sold: Sold) => string) =>
    places.set(name, (sold) => async () => {
      const path = pathOf(sold);
      const answer = await visitor.get(path);
      await answer.arrayBuffer();
      if (answer.status >= 500 && !answer.headers.has('retry-after'))
        throw new Error(`${path} was answered with ${answer.status}.`);
    });
  for (const name of pathsOf(short).keys()) page(name, (sold) => pathsOf(sold).get(name) ?? '');
  page('the page that asks a buyer', ({ question }) => question);
  page('the page of a document', ({ documents }) => new URL(links.page(documents.emitted.id)).pathname);
  page('the XML of a document', ({ documents }) => new URL(links.xml(documents.emitted.id)).pathname);
  for (const { name, input } of allTools.filter(({ readOnly }) => readOnly))
    places.set(`the tool ${name}`, ({ documents }) => {
      // A day without sales: what the others of a day take is not this text's.
      const known: Record<string, string> = {
        ...{ order: documents.held.orderName, document: documents.refused.id },
        date: '2026-01-01',
      };
      const given = Object.fromEntries(
        Object.keys(input.shape).flatMap((field) => (known[field] ? [[field, known[field]]] : [])),
      );
      return () => assistant.call(name, given);
    });
  // A question takes a few answers only, and each text has a question of its own here.
  const [form] = formsOf(await (await visitor.get(short.question)).text(), short.question);
  for (const field of Object.keys(form?.fields ?? {}))
    places.set(`the ${field} a buyer gives`, ({ question: path }, text) => {
      const fields = { ...form?.fields, tipo: 'pasaporte', [field]: fitting(text, formRoom, asForm) };
      const body = new URLSearchParams(fields).toString();
      return () => send(url, { method: 'POST', path, body, headers: { 'content-type': formType } });
    });

  return [
    {
      name: 'what is stored',
      places: [...places.keys()],
      most: textsAtOnce * 5_000,
      copies: 3,
      dear: true,
      prepare: async (place, text) =>
        (places.get(place) ?? (() => async () => {}))(await soldWith(text), text),
    },
  ];
}

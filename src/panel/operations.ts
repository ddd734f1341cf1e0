import { type Document, documentNumber } from '../domain/document.ts';
import { CommandError, FacturapuenteError } from '../domain/errors.ts';
import { mayDo } from '../domain/settings.ts';
import { type Html, html } from '../domain/text.ts';
import { type FormField, flawOf, formFields, readText } from '../operations/form-fields.ts';
import { type Operation, slugOf } from '../operations/operation.ts';
import {
  actionForm,
  asTyped,
  card,
  cards,
  checkbox,
  comeFrom,
  documentPath,
  type FormParts,
  facts,
  field,
  kindNames,
  link,
  money,
  orderName,
} from './components.ts';
import { type PanelAction, type PanelPage, type PanelView, unlessLong, type Visit } from './visit.ts';

const words = {
  going: (title: string) => `«${title}» sigue en marcha; cuando termine, consta en la auditoría.`,
};

type Form = Readonly<Record<string, unknown>>;

const fieldsOf = ({ input }: Operation): FormField[] =>
  formFields(input).filter(({ terminalOnly }) => !terminalOnly);

const actionOf = (operation: Operation): PanelAction => ({
  path: `/operacion/${slugOf(operation)}`,
  role: operation.role,
  ...(operation.form?.wantsFreshCode && { wantsFreshCode: true }),
  async run(visit, form) {
    const input = inputOf(operation, form);
    if (!isOwnPage(form)) return { ...(await carryOut(visit, operation, input)), to: comeFrom(form) };
    // Its own page shows what is wrong beside the fields, and keeps what was typed.
    const flaws = flawsOf(operation, input);
    if (flaws.size > 0) return formView(visit, operation, { known: form, flaws });
    const answer = await carryOut(visit, operation, input).catch((error: unknown) => {
      if (error instanceof FacturapuenteError) return { done: false, message: error.merchant };
      throw error;
    });
    if (!answer.done) return formView(visit, operation, { known: form, flaws, refused: answer.message });
    return { ...answer, to: comeFrom({ volver: form.seguir }) };
  },
});

async function carryOut(
  visit: Visit,
  operation: Operation,
  input: Record<string, unknown>,
): Promise<{ done: boolean; message: string }> {
  const answer = await unlessLong(visit, slugOf(operation), visit.deps.carryOut(operation, input));
  return answer ?? { done: true, message: words.going(operation.title) };
}

const isOwnPage = (form: Form): boolean => typeof form.seguir === 'string';

function flawsOf(operation: Operation, input: Record<string, unknown>): Map<string, string> {
  return new Map(
    fieldsOf(operation).flatMap((field): [string, string][] => {
      const flaw = flawOf(operation.input, field, input[field.name]);
      return flaw === null ? [] : [[field.name, flaw]];
    }),
  );
}

/** Empty fields are omitted. Throws CommandError `input-invalid`. */
function inputOf(operation: Operation, form: Form): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  for (const field of fieldsOf(operation)) {
    const sent = form[field.name] ?? '';
    // No form of the panel sends a field twice, or omits what the person saw.
    if (typeof sent !== 'string' || (field.formRequired && sent.trim() === ''))
      throw new CommandError('input-invalid', {
        why: 'fields',
        name: `«${operation.title}»`,
        fields: field.name,
      });
    if (sent.trim() !== '') input[field.name] = readSent(field, sent.trim());
  }
  return input;
}

function readSent(field: FormField, sent: string): unknown {
  if (field.type === 'flag') return sent === 'si';
  if (field.type === 'list') return sent.split(/[\s,]+/).filter((one) => one !== '');
  return readText(field, sent);
}

export const operationButton = (
  visit: Visit,
  operation: Operation,
  parts: Omit<FormParts, 'label'> & { label?: string },
): Html | null => actionForm(visit, actionOf(operation), { label: operation.title, ...parts });

export const formPath = (operation: Operation, known: Record<string, string> = {}): string => {
  const query = new URLSearchParams(known).toString();
  return `/operacion/${slugOf(operation)}${query && `?${query}`}`;
};

const formPage = (operation: Operation): PanelPage => ({
  path: formPath(operation),
  role: operation.role,
  show: (visit) => formView(visit, operation, { known: Object.fromEntries(visit.query), flaws: new Map() }),
});

interface Filled {
  known: Form;
  flaws: ReadonlyMap<string, string>;
  refused?: string;
}

async function formView(
  visit: Visit,
  operation: Operation,
  { known, flaws, refused }: Filled,
): Promise<PanelView> {
  const id = typeof known.document === 'string' ? known.document : '';
  const document = await visit.deps.ledger.documents.get(id);
  const back = document ? documentPath(document.id) : operationsPage.path;
  const shown = fieldsOf(operation).filter(({ name }) => !document || !ofDocument.has(name));
  return {
    title: operation.title,
    status: flaws.size > 0 || refused !== undefined ? 422 : 200,
    flaw: refused,
    back: [back, 'Volver'],
    body: html`${document && aboutDocument(document)}<div class="card narrow"><p>${operation.description}</p>
${operationButton(visit, operation, {
  fields: { seguir: back, ...(document && { document: document.id }) },
  look: 'entry',
  body: html`${shown.map((field) => inputFor(visit, field, String(known[field.name] ?? ''), flaws.get(field.name)))}`,
})}</div>`,
  };
}

const ofDocument = new Set(['document', 'store', 'kind']);

const aboutDocument = (document: Document): Html =>
  html`${facts([
    orderName(document),
    `${kindNames[document.kind]} ${documentNumber(document) ?? ''}`,
    money(document.charged),
    document.storeId,
  ])}${document.reason !== null && html`<p>${document.reason}</p>`}`;

function inputFor(visit: Visit, of: FormField, value: string, flaw: string | undefined): Html {
  const { name, description, title = sentence(description), required, type, labels } = of;
  const hint = labels ? '' : sentence(description);
  if (type === 'flag') return checkbox(name, hint, { isChecked: value === 'si' });
  const choices = choicesOf(visit, of).map((one) => [one, sentence(labels?.[one] ?? one)] as const);
  const shared = { name, label: title, value, hint, flaw: flaw ?? '' };
  if (choices.length > 0)
    return field({ ...shared, options: [['', 'Sin elegir'], ...choices], more: { required } });
  return field({ ...shared, more: { ...asTyped, maxlength: 400, required } });
}

const choicesOf = ({ deps }: Visit, { store, choices }: FormField): readonly string[] =>
  store ? [...deps.settings.stores.keys()] : choices;

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const operationsPage: PanelPage = {
  path: '/operaciones',
  role: 'operate',
  nav: { order: 8, label: 'Más' },
  async show(visit) {
    const { operations, isLimited } = visit.deps;
    const shown = operations.filter(
      ({ form, role, whole }) => form?.as === 'listed' && mayDo(visit.role, role) && !(whole && isLimited),
    );
    return {
      title: 'Operaciones',
      body: cards(
        shown.map((one) =>
          card({
            heading: link(visit, formPath(one), one.title),
            level: 'h2',
            body: html`<p>${one.description}</p>`,
          }),
        ),
      ),
    };
  },
};

export const pagesOf = (all: readonly Operation[]): PanelPage[] => [
  operationsPage,
  ...all.filter(({ form }) => form && form.as !== 'button').map(formPage),
];
export const actionsOf = (all: readonly Operation[]): PanelAction[] =>
  all.filter(({ form }) => form).map(actionOf);

import { type Html, html, type Piece } from '../../domain/html.ts';
import { mayDo } from '../../domain/people.ts';
import type { PanelAction, Visit } from './visit.ts';

/** The field every form carries. */
export const tokenField = 'ficha';

interface FormParts {
  /** What is sent along. */
  fields?: Readonly<Record<string, string>>;
  /** Between the hidden fields and the button. */
  body?: Piece;
  /** On the button. */
  label: string;
  /** For whoever hears the page: what the button is about, after its label. */
  about?: string;
  /** The button is not what most come for. */
  plain?: boolean;
  kind?: string;
  /** Checked while it is written by the script of the buyer's page. */
  live?: boolean;
}

/** A form that does `action`; nothing where the person may not. Answers come back to `visit.here`. */
export function actionForm(visit: Visit, action: PanelAction, parts: FormParts): Html | null {
  if (!mayDo(visit.role, action.role)) return null;
  const { fields = {}, body, label, about, plain, kind = 'act', live } = parts;
  const hidden = { [tokenField]: visit.csrf, volver: visit.here, ...fields };
  return html`<form class="${kind}" method="post" action="${visit.at(action.path)}"${live === true && html` data-buyer novalidate`}>
${Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${body}<button type="submit"${plain === true && html` class="plain"`}>${label}${about !== undefined && html`<span class="heard"> ${about}</span>`}</button></form>`;
}

/** Where a form came from, as it says: a path below the panel and nothing else. */
export function comeFrom(form: Readonly<Record<string, unknown>>): string {
  const { volver } = form;
  return typeof volver === 'string' && isPanelPath(volver) ? volver : '';
}

/** A path below the panel with its query: never another site's address. */
export const isPanelPath = (text: string): boolean =>
  text.length <= 500 && /^(\/[\w.~%:@-]+)*(\?[\w.~%:@=&+-]*)?$/.test(text);

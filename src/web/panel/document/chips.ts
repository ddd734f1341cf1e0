import type { Document, DocumentState } from '../../../domain/document.ts';
import { type Html, html } from '../../../domain/html.ts';
import type { Language } from '../words.ts';
import { documentWords } from './words.ts';

const tones: Partial<Record<DocumentState, string>> = {
  held: ' warn',
  uncertain: ' warn',
  rejected: ' bad',
  manual: ' bad',
  cancelled: ' plain',
};

/** The state of a document in a word, never by colour alone. */
export const stateChip = ({ state }: Pick<Document, 'state'>, language: Language): Html =>
  html`<span class="chip${tones[state] ?? ''}">${documentWords[language].states[state].name}</span>`;

import { type Html, html } from '../../domain/html.ts';

/**
 * What a colour means. Each tone has a pattern of its own, so that a reader who cannot tell the colours apart (or who
 * prints the page) still can.
 */
export type Tone = 'good' | 'wait' | 'odd' | 'bad' | 'rest';
export const tones: readonly Tone[] = ['good', 'wait', 'odd', 'bad', 'rest'];

/** Lines over the colour; `good` is plain. */
const marks: Readonly<Record<Tone, { size: number; turn: number; mark: Html } | null>> = {
  good: null,
  wait: { size: 6, turn: 45, mark: html`<path class="chart-mark" d="M0 0V6"/>` },
  odd: { size: 6, turn: 0, mark: html`<circle class="chart-dot" cx="3" cy="3" r="1.4"/>` },
  bad: { size: 5, turn: 45, mark: html`<path class="chart-mark" d="M0 0V5M0 0H5"/>` },
  rest: { size: 5, turn: 0, mark: html`<path class="chart-mark" d="M0 1H5"/>` },
};

/** Goes into an SVG that fills with `toneFill` under the same id; one SVG does not see the patterns of another. */
export function tonePatterns(id: string, used: readonly Tone[]): Html | false {
  const drawn = [...new Set(used)].flatMap((tone) => {
    const pattern = marks[tone];
    if (pattern === null) return [];
    const { size, turn, mark } = pattern;
    return html`<pattern id="${id}-${tone}" width="${size}" height="${size}" patternUnits="userSpaceOnUse" patternTransform="rotate(${turn})"><rect class="tone-${tone}" width="${size}" height="${size}"/>${mark}</pattern>`;
  });
  return drawn.length > 0 && html`<defs>${drawn}</defs>`;
}

/** The attributes that fill a shape. */
export const toneFill = (id: string, tone: Tone): Html =>
  marks[tone] === null ? html`class="tone-${tone}"` : html`fill="url(#${id}-${tone})"`;

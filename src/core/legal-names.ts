/** Whom a registry can name. */
export interface NamedBy {
  type: 'ruc' | 'cedula';
  id: string;
}

/**
 * Legal names from a registry. A hint, never a gate: null where there is no such person, no answer, no money or
 * no time. Never throws.
 */
export interface LegalNames {
  of(subject: NamedBy): Promise<string | null>;
}

/** Whom a registry can name. */
export interface NamedBy {
  type: 'ruc' | 'cedula';
  id: string;
}

/** For whom a name is looked up, which is counted (jobs/registry-names.ts). */
export interface NameAsker {
  store: { id: string; policy: { buyer: { registryPerDay: number } } };
  /** The document of the buyer's link it is asked through; null when we ask ourselves, to plan an order. */
  link: string | null;
}

/**
 * Legal names from a registry. A hint, never a gate: null where there is no such person, no answer, no money, no time
 * or no look-up left for today. Throws
 * only where the ledger, which counts look-ups, cannot be asked.
 */
export interface LegalNames {
  of(subject: NamedBy, asker: NameAsker): Promise<string | null>;
}

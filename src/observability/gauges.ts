import { Gauge, type Registry } from 'prom-client';

/** One value of a gauge with its labels. */
export type Reading<Label extends string> = [labels: Record<Label, string>, value: number];

/**
 * A gauge whose values are read when somebody scrapes. Where they cannot be read now it has none, and the rest of
 * the scrape stands: `failed` hears of it.
 */
export function readAtScrape<Label extends string>(
  registry: Registry,
  gauge: { name: string; help: string; labels: Label[] },
  read: () => Promise<readonly Reading<Label>[]>,
  failed: (error: unknown) => void,
): void {
  new Gauge<Label>({
    name: `facturapuente_${gauge.name}`,
    help: gauge.help,
    labelNames: gauge.labels,
    registers: [registry],
    async collect() {
      this.reset();
      try {
        for (const [labels, value] of await read()) this.set(labels, value);
      } catch (error) {
        failed(error);
      }
    },
  });
}

export const languages = ['es', 'en'] as const;
export type Language = (typeof languages)[number];

/** The texts of one area. Spanish gives the shape, and English must have all of it, or it does not compile. */
export function inBoth<Texts>(es: Texts, en: NoInfer<Texts>): Record<Language, Texts> {
  return { es, en };
}

/** How numbers, days and hours are written. The time is Ecuador's: it is the day that counts for a factura. */
export const locales: Record<Language, string> = { es: 'es-EC', en: 'en-GB' };

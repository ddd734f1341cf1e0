/** One spelling for REST (-05:00) and GraphQL (Z), of a text that its schema took for an instant (domain/loose.ts). */
export function instant(text: string | null): string {
  return new Date(text ?? Number.NaN).toISOString();
}

/** The size of what a link gives, 0 unless it is a PDF. */
export async function pdfSize(url: string): Promise<number> {
  const answer = await fetch(url);
  const bytes = Buffer.from(await answer.arrayBuffer());
  return answer.ok && bytes.subarray(0, 4).toString('latin1') === '%PDF' ? bytes.byteLength : 0;
}

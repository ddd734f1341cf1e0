import type { Response } from 'express';
import { html } from '../domain/text.ts';
import type { HttpDeps } from '../http/deps.ts';
import { setFilePolicy } from '../http/pages.ts';
import { type Framed, framed, frameWords } from './frame.ts';
import type { SignedIn } from './sessions.ts';
import type { PanelAnswer, PanelDownload, PanelFile, PanelView } from './visit.ts';

export function openAnswers({ ledger }: Pick<HttpDeps, 'ledger'>, root: string) {
  const page = (res: Response, frame: Framed, view: PanelView): void => {
    res
      .status(view.status ?? 200)
      .type('html')
      .send(framed(frame, view).text);
  };

  const say = (res: Response, frame: Framed, status: number, why: string): void => {
    const { refused, back } = frameWords;
    const body = html`<p>${why}</p><p><a href="${root}/panel">${back}</a></p>`;
    page(res, frame, { status, title: refused.title, body });
  };

  return {
    page,
    say,
    refuse(
      res: Response,
      frame: Framed,
      status: number,
      why: keyof Omit<(typeof frameWords)['refused'], 'title'>,
    ): void {
      say(res, frame, status, frameWords.refused[why]);
    },
    async send(
      res: Response,
      { frame, signedIn, answer }: { frame: Framed; signedIn: SignedIn; answer: PanelAnswer },
    ): Promise<void> {
      if ('bytes' in answer) return sendFile(res, answer);
      if ('write' in answer) return sendDownload(res, answer);
      const { tokenHash, notice } = signedIn;
      if ('to' in answer) {
        if (answer.message !== undefined) await ledger.sessions.notify(tokenHash, answer.message);
        // A reload sends nothing twice.
        return res.redirect(303, `${root}/panel${answer.to}`);
      }
      if (notice !== null) await ledger.sessions.notify(tokenHash, null);
      page(res, { ...frame, person: frame.person && { ...frame.person, notice } }, answer);
    },
  };
}
export type PanelAnswers = ReturnType<typeof openAnswers>;

function fileHead(res: Response, { type, name }: { type: string; name: string }, how: string): void {
  setFilePolicy(res, type);
  res.set({
    'Content-Disposition': `${how}; filename="${name.replace(/[^\w.-]/g, '-')}"`,
    'Content-Type': type,
  });
}

function sendFile(res: Response, file: PanelFile): void {
  const { bytes, download } = file;
  fileHead(res, file, download ? 'attachment' : 'inline');
  res.end(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
}

/** A failure after the first bytes breaks the connection, which the browser reports. */
async function sendDownload(res: Response, file: PanelDownload): Promise<void> {
  fileHead(res, file, 'attachment');
  await file.write(res).catch((error: unknown) => {
    if (res.headersSent || res.destroyed) return;
    res.removeHeader('Content-Disposition');
    throw error;
  });
}

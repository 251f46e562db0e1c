import { defineErrors } from '../errors/app-error.js';
import type { RenderFailure } from './rendering-protocol.js';

export const renderingErrors = defineErrors({
  DRAWING_BUSY: {
    status: 503,
    en: 'Too many pages are being prepared. Please try again in a moment.',
    tr: 'Şu anda çok fazla sayfa hazırlanıyor. Lütfen birazdan yeniden deneyin.',
  },
});

/** A document or page can't be rendered, now or later, because of its content. */
export class RenderError extends Error {
  constructor(readonly failure: RenderFailure) {
    super(`The document can't be rendered: ${failure}.`);
  }
}

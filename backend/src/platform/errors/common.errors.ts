import { defineErrors, type AppError } from './app-error.js';
import { formatRetryAfter } from './format-retry-at.js';

/** Errors shared by all modules. */
export const commonErrors = defineErrors({
  VALIDATION_FAILED: { status: 400, en: 'Some fields need your attention.', tr: 'Bazı alanları gözden geçirin.' },
  NOTHING_TO_CHANGE: {
    status: 400,
    en: "There's nothing to change in this request.",
    tr: 'Bu istekte değiştirilecek bir şey yok.',
  },
  MALFORMED_JSON: { status: 400, en: "The request body isn't valid JSON.", tr: 'İstek gövdesi geçerli JSON değil.' },
  BAD_REQUEST: { status: 400, en: "The request couldn't be understood.", tr: 'İstek anlaşılamadı.' },
  NOT_SIGNED_IN: { status: 401, en: 'Please sign in.', tr: 'Lütfen giriş yapın.' },
  FORBIDDEN: { status: 403, en: "You don't have permission to do this.", tr: 'Bunu yapma yetkiniz yok.' },
  CROSS_SITE: {
    status: 403,
    en: 'This request came from another website, so it was rejected.',
    tr: 'Bu istek başka bir siteden geldiği için reddedildi.',
  },
  CONFIRMATION_REQUIRED: {
    status: 403,
    en: 'Please confirm your identity first.',
    tr: 'Lütfen önce kimliğinizi doğrulayın.',
  },
  NOT_FOUND: { status: 404, en: 'Not found.', tr: 'Bulunamadı.' },
  METHOD_NOT_ALLOWED: { status: 405, en: "This method isn't allowed here.", tr: 'Bu yöntem burada kullanılamaz.' },
  NOT_ACCEPTABLE: { status: 406, en: "This format isn't available.", tr: 'Bu biçim kullanılamıyor.' },
  UNCLEAR_HOST: {
    status: 400,
    en: 'The request must have exactly one Host header with one host name.',
    tr: 'İstek, tek bir sunucu adı içeren tek bir Host başlığı taşımalıdır.',
  },
  BODY_TOO_COMPLEX: {
    status: 400,
    en: 'The request has too many fields or is nested too deeply.',
    tr: 'İstekte çok fazla alan var ya da alanlar çok derin iç içe.',
  },
  BODY_TOO_SLOW: {
    status: 408,
    en: 'The request took too long to arrive. Please try again.',
    tr: 'İsteğin ulaşması çok uzun sürdü. Lütfen yeniden deneyin.',
  },
  BODY_TOO_LARGE: { status: 413, en: 'The request is too large.', tr: 'İstek çok büyük.' },
  WORK_REQUIRED: {
    status: 428,
    en: 'Too many requests came from your network in the last hour. Please try again later.',
    tr: 'Ağınızdan son bir saat içinde çok fazla istek geldi. Lütfen daha sonra yeniden deneyin.',
  },
  UNSUPPORTED_TYPE: {
    status: 415,
    en: "This content type isn't supported here.",
    tr: 'Bu içerik türü burada desteklenmiyor.',
  },
  TOO_MANY_REQUESTS: {
    status: 429,
    en: 'Too many attempts. Please try again {when}.',
    tr: 'Çok fazla deneme yapıldı. Lütfen {when} yeniden deneyin.',
  },
  INTERNAL: {
    status: 500,
    en: 'Something went wrong on our side. Please try again.',
    tr: 'Bizden kaynaklanan bir sorun oluştu. Lütfen yeniden deneyin.',
  },
  SERVER_BUSY: {
    status: 503,
    en: 'Too many people are signing in right now. Please try again in a few seconds.',
    tr: 'Şu anda çok fazla kişi giriş yapıyor. Lütfen birkaç saniye sonra yeniden deneyin.',
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    en: 'Part of the service is unavailable at the moment. Please try again shortly.',
    tr: 'Hizmetin bir bölümü şu anda kullanılamıyor. Lütfen birazdan yeniden deneyin.',
  },
});

/** Creates the rate limit error, which says when to retry. @param retryAfter seconds */
export function tooManyRequests(retryAfter: number): AppError {
  return commonErrors.TOO_MANY_REQUESTS({ when: formatRetryAfter(retryAfter) }, { retryAfter });
}

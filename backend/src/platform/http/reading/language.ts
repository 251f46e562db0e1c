import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { languages, type Language } from '../../errors/app-error.js';
import type { AppRequest } from './viewer.js';

/** The language to answer in: the person's setting, then Accept-Language, then English. */
export function languageOf(request: AppRequest): Language {
  const asked = request.acceptsLanguages?.([...languages]);
  return request.viewer?.language ?? languages.find((language) => language === asked) ?? 'en';
}

/** The language of the request, for mails to people who have no account yet. */
export const RequestLanguage = createParamDecorator((_: unknown, context: ExecutionContext): Language => {
  return languageOf(context.switchToHttp().getRequest<AppRequest>());
});

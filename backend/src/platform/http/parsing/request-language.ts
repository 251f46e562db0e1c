import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { languages, type Language } from '../../errors/app-error.js';
import type { AppRequest } from './viewer.js';

/** The language of the response: the user's setting, then Accept-Language, then English. */
export function requestLanguageOf(request: AppRequest): Language {
  const accepted = request.acceptsLanguages?.([...languages]);
  return request.viewer?.language ?? languages.find((language) => language === accepted) ?? 'en';
}

/** The language of the request, for emails to people who have no account yet. */
export const RequestLanguage = createParamDecorator((_: unknown, context: ExecutionContext): Language => {
  return requestLanguageOf(context.switchToHttp().getRequest<AppRequest>());
});

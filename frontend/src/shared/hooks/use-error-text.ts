import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, NETWORK } from '../api/api-error';

/** Gives the sentence for a failure: the server's own when it sent one, else a general one in the page's language. */
export function useErrorText(): (error: unknown) => string {
  const { t } = useTranslation();
  return useCallback(
    (error: unknown) => {
      if (error instanceof ApiError && error.code === NETWORK) return t('errors.network');
      if (error instanceof ApiError && error.message) return error.message;
      return t('errors.unexpected');
    },
    [t],
  );
}

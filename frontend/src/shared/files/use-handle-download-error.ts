import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { ApiError } from '../api/api-error';
import { currentUserKey } from '../api/current-user';
import { useErrorText } from '../hooks/use-error-text';
import { toast } from '../toast/toast-store';

/** Handles a failed download: shows the error, or the sign-in page if the session has expired. */
export function useHandleDownloadError(): (error: ApiError) => void {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  return useCallback(
    (error) => {
      if (error.status === 401) queryClient.setQueryData(currentUserKey, null);
      toast.error(t('downloads.failed'), errorText(error));
    },
    [t, errorText, queryClient],
  );
}

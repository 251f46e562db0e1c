import { useEffect, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../shared/api/client';
import { useInvalidate } from '../../../shared/api/invalidate';
import { useForm } from '../../../shared/forms/use-form';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { LockIcon } from '../../../shared/public-ui/icons';
import { PublicField } from '../../../shared/public-ui/public-field';
import type { ReaderFile } from '../source/reader-source';
import './locked-document.css';

/** Password form shown instead of a document that is locked with a password. */
export function LockedDocument({ file }: { file: Pick<ReaderFile, 'id'> }) {
  const { t } = useTranslation('reader');
  const invalidate = useInvalidate();
  const errorText = useErrorText();
  const containerRef = useRef<HTMLDivElement>(null);
  const id = useId();
  const form = useForm({
    initial: { password: '' },
    validate: ({ password }) => ({ password: password === '' ? t('locked.missing') : undefined }),
    submit: async ({ password }) => {
      await api.POST('/api/files/{id}/pages/unlock', { params: { path: { id: file.id } }, body: { password } });
      // The form disappears with the focused element, and without focus the reader's shortcuts wouldn't work.
      document.getElementById('main')?.focus({ preventScroll: true });
      await invalidate('POST /api/files/{id}/pages/unlock');
    },
    onFailure: (error) => {
      form.showErrors({ password: errorText(error) });
    },
  });
  useEffect(() => containerRef.current?.querySelector('input')?.focus(), []);
  return (
    <div ref={containerRef} className="z-reader-notice">
      <LockIcon />
      <h2 id={id}>{t('locked.title')}</h2>
      <p id={`${id}-text`} className="z-second">
        {t('locked.text')}
      </p>
      {/* Screen readers announce the request when focus enters the form. */}
      <form {...form.formProps} className="z-reader-locked" aria-labelledby={id} aria-describedby={`${id}-text`}>
        <PublicField {...form.field('password')} type="password" label={t('locked.label')} autoComplete="off" />
        <button type="submit" className="z-button z-button-main" disabled={form.isSubmitting}>
          {t('locked.open')}
        </button>
      </form>
    </div>
  );
}

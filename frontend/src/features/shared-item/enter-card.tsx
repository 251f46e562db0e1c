import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { hasCode } from '../../shared/api/api-error';
import { api, type Schema } from '../../shared/api/client';
import { sharedLinkKey } from '../../shared/files/shared-lists';
import { displayNameOf } from '../../shared/format/person';
import { useForm } from '../../shared/forms/use-form';
import { useErrorText } from '../../shared/hooks/use-error-text';
import { useFormat } from '../../shared/hooks/use-format';
import { useTitle } from '../../shared/hooks/use-title';
import { ClockIcon, LockIcon } from '../../shared/public-ui/icons';
import { LegalLinks } from '../../shared/public-ui/legal-links';
import { PublicField } from '../../shared/public-ui/public-field';

interface Props {
  token: string;
  link: Schema<'SharedLinkDto'>;
  /** Called if the link can't be used any more. */
  onUnavailable: () => unknown;
}

/**
 * Asks for what the link requires before anything of it is shown. There is a button even if it requires nothing, because
 * a mere visit, also by a mail scanner, must not count as a use.
 */
export function EnterCard({ token, link, onUnavailable }: Props) {
  const { t } = useTranslation('sharedItem');
  const format = useFormat();
  const { form, notice } = useEnterForm(token, link, onUnavailable);
  const owner = displayNameOf(link.owner);
  useTitle(t('title'));
  return (
    <div className="z-card">
      <LockIcon />
      <h1 className="z-title">{owner ? t('sharedBy', { name: owner }) : t('title')}</h1>
      <p className="z-second">{t(`asks.${questionOf(link)}`)}</p>
      {link.expiresAt !== null && (
        <p className="z-shared-fact">
          <ClockIcon />
          {t('until', { date: format.dateTime(link.expiresAt) })}
        </p>
      )}
      <form className="z-form" method="dialog" {...form.formProps}>
        {link.requiresPassword && (
          <PublicField
            {...form.field('password')}
            label={t('password')}
            help={t('passwordHelp')}
            type="password"
            autoComplete="off"
          />
        )}
        {link.needsEmail && (
          <PublicField
            {...form.field('email')}
            label={t('email')}
            help={t('emailHelp', { name: owner || t('ownerUnknown') })}
            type="email"
            inputMode="email"
            autoComplete="email"
          />
        )}
        {notice !== null && (
          <div className="z-notice z-notice-danger" role="alert">
            {notice}
          </div>
        )}
        <button type="submit" className="z-button z-button-main z-button-large" aria-disabled={form.isSubmitting}>
          {t(form.isSubmitting ? 'opening' : 'open')}
        </button>
        <LegalLinks />
      </form>
    </div>
  );
}

function questionOf({ requiresPassword, needsEmail }: Schema<'SharedLinkDto'>) {
  if (requiresPassword) return needsEmail ? 'both' : 'password';
  return needsEmail ? 'email' : 'nothing';
}

function useEnterForm(token: string, link: Schema<'SharedLinkDto'>, onUnavailable: () => unknown) {
  const { t } = useTranslation('sharedItem');
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  const [notice, setNotice] = useState<string | null>(null);
  const enter = useMutation({
    mutationFn: async (body: Schema<'EnterSharedDto'>) =>
      (await api.POST('/api/shared/{token}/enter', { params: { path: { token } }, body })).data!,
    onSuccess: (entered) => {
      flushSync(() => queryClient.setQueryData(sharedLinkKey(token), entered));
      // The form is gone with the focused button.
      document.getElementById('main')?.focus({ preventScroll: true });
    },
  });
  const form = useForm({
    initial: { password: '', email: '' },
    validate: ({ password, email }) => ({
      password: link.requiresPassword && !password ? t('passwordRequired') : undefined,
      email: link.needsEmail ? checkEmail(email.trim(), t('emailRequired'), t('emailInvalid')) : undefined,
    }),
    submit: async ({ password, email }) => {
      setNotice(null);
      await enter.mutateAsync({
        ...(link.requiresPassword && { password }),
        ...(link.needsEmail && { email: email.trim() }),
      });
    },
    onFailure: (error) => {
      if (hasCode(error, 'LINK_PASSWORD_WRONG')) form.showErrors({ password: errorText(error) });
      else if (hasCode(error, 'SHARED_NOT_FOUND', 'SHARED_USED_UP')) onUnavailable();
      else setNotice(errorText(error));
    },
  });
  return { form, notice };
}

function checkEmail(email: string, required: string, invalid: string): string | undefined {
  if (!email) return required;
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email) ? undefined : invalid;
}

import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { useForm } from '../../../shared/forms/use-form';
import { LegalLinks } from '../../../shared/public-ui/legal-links';
import { PublicCheckbox } from '../../../shared/public-ui/public-checkbox';
import { PublicField } from '../../../shared/public-ui/public-field';
import { EmailsNotSentNotice } from '../../../shared/site/emails-not-sent-notice';
import { isLinkUnusable, joinErrorTypeOf, type JoinErrorType } from '../join-error';
import type { JoinTarget, JoinRequest, LinkKind } from '../join-target';

interface Props {
  kind: LinkKind;
  target: JoinTarget;
  ownEmail: string | null;
  onJoin: (request: JoinRequest) => Promise<void>;
  onAlreadyMember: () => void;
}

interface ErrorNotice {
  title: string;
  text: string;
}

/** Email address, password if there is one, consent, and one button. */
export function JoinForm(props: Props) {
  const { target, ownEmail } = props;
  const { t } = useTranslation('join');
  const { form, notice } = useJoinForm(props);
  const isOwnEmail = ownEmail !== null && form.values.email.trim().toLowerCase() === ownEmail.toLowerCase();
  const labelKeys = target.autoJoin
    ? ({ submit: 'submit', sending: 'sending', own: 'emailOwn' } as const)
    : ({ submit: 'ask', sending: 'asking', own: 'emailOwnAsk' } as const);
  const otherEmailHelp = ownEmail === null ? t('emailHelp') : t('emailOther', { email: ownEmail });
  return (
    // `method="dialog"` sends nothing: submitted before hydration, a GET form would put the visitor's email address
    // into the URL.
    <form className="z-form" method="dialog" {...form.formProps}>
      {/* People who join with their own address get no code. */}
      {ownEmail === null && <EmailsNotSentNotice isAhead />}
      <PublicField
        {...form.field('email')}
        label={t('email')}
        help={isOwnEmail ? t(labelKeys.own) : otherEmailHelp}
        type="email"
        inputMode="email"
        autoComplete="email"
      />
      {target.requiresPassword && (
        <PublicField
          {...form.field('password')}
          label={t('password')}
          help={t('passwordHelp')}
          type="password"
          autoComplete="off"
        />
      )}
      <PublicCheckbox
        id={form.field('emailConsent').id}
        checked={form.values.emailConsent}
        error={form.errors.emailConsent}
        onChange={(checked) => form.set('emailConsent', checked)}
      >
        {target.consentText}
      </PublicCheckbox>
      {notice && (
        <div className="z-notice z-notice-danger" role="alert">
          <strong>{notice.title}</strong>
          <br />
          {notice.text}
        </div>
      )}
      <button type="submit" className="z-button z-button-main z-button-large" aria-disabled={form.isSubmitting}>
        {t(form.isSubmitting ? labelKeys.sending : labelKeys.submit)}
      </button>
      <LegalLinks />
    </form>
  );
}

function useJoinForm({ kind, target, ownEmail, onJoin, onAlreadyMember }: Props) {
  const { t } = useTranslation('join');
  const errorText = useErrorText();
  const [notice, setNotice] = useState<ErrorNotice | null>(null);
  const form = useForm({
    initial: { email: ownEmail ?? '', password: '', emailConsent: false as boolean },
    validate: ({ email, password, emailConsent }) => ({
      email: checkEmail(email.trim(), t('emailRequired'), t('emailInvalid')),
      password: target.requiresPassword && !password ? t('passwordRequired') : undefined,
      emailConsent: target.requiresEmailOptin && !emailConsent ? t('consentRequired') : undefined,
    }),
    submit: async ({ email, password, emailConsent }) => {
      setNotice(null);
      const request = { email: email.trim(), emailConsent };
      await onJoin(target.requiresPassword ? { ...request, password } : request);
    },
    onFailure: (error) => {
      const errorType = joinErrorTypeOf(error);
      const text = errorText(error);
      if (errorType === 'alreadyMember') onAlreadyMember();
      else if (errorType === 'consent') form.showErrors({ emailConsent: text });
      else if (hasErrorTitle(errorType)) setNotice({ title: t(`${errorType}.title`), text });
      else if (isLinkUnusable(errorType)) {
        const errorKey = errorType === 'notFound' && kind === 'temporary' ? 'invalid' : errorType;
        setNotice({ title: t(`${errorKey}.title`), text: t(`${errorKey}.text`) });
      } else setNotice({ title: t('failed'), text });
    },
  });
  return { form, notice };
}

const hasErrorTitle = (errorType: JoinErrorType): errorType is 'full' | 'tooMany' | 'used' =>
  errorType === 'full' || errorType === 'tooMany' || errorType === 'used';

function checkEmail(email: string, required: string, invalid: string): string | undefined {
  if (!email) return required;
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email) ? undefined : invalid;
}

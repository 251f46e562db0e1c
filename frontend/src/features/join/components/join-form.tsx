import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { useForm } from '../../../shared/forms/use-form';
import { LegalLine } from '../../../shared/plain/legal-line';
import { PlainCheck } from '../../../shared/plain/plain-check';
import { PlainField } from '../../../shared/plain/plain-field';
import { isDead, refusalOf, type JoinRefusal } from '../join-outcome';
import type { JoinTarget, JoinRequest, LinkKind } from '../join-target';

interface Props {
  kind: LinkKind;
  target: JoinTarget;
  ownEmail: string | null;
  onJoin: (request: JoinRequest) => Promise<void>;
  onAlreadyMember: () => void;
}

interface Notice {
  title: string;
  text: string;
}

/** Address, the password where there is one, consent, one button. */
export function JoinForm(props: Props) {
  const { target, ownEmail } = props;
  const { t } = useTranslation('join');
  const { form, notice } = useJoinForm(props);
  const own = ownEmail !== null && form.values.email.trim().toLowerCase() === ownEmail.toLowerCase();
  const words = target.autoJoin
    ? ({ submit: 'submit', sending: 'sending', own: 'emailOwn' } as const)
    : ({ submit: 'ask', sending: 'asking', own: 'emailOwnAsk' } as const);
  const helpOther = ownEmail === null ? t('emailHelp') : t('emailOther', { email: ownEmail });
  return (
    // By this method a browser sends nothing: pressed before the page is alive, it would put the address of who joins into its own.
    <form className="z-form" method="dialog" {...form.formProps}>
      <PlainField
        {...form.field('email')}
        label={t('email')}
        help={own ? t(words.own) : helpOther}
        type="email"
        inputMode="email"
        autoComplete="email"
      />
      {target.requiresPassword && (
        <PlainField
          {...form.field('password')}
          label={t('password')}
          help={t('passwordHelp')}
          type="password"
          autoComplete="off"
        />
      )}
      <PlainCheck
        id={form.field('emailConsent').id}
        checked={form.values.emailConsent}
        error={form.errors.emailConsent}
        onChange={(checked) => form.set('emailConsent', checked)}
      >
        {target.consentText}
      </PlainCheck>
      {notice && (
        <div className="z-notice z-notice-danger" role="alert">
          <strong>{notice.title}</strong>
          <br />
          {notice.text}
        </div>
      )}
      <button type="submit" className="z-button z-button-main z-button-large" aria-disabled={form.sending}>
        {t(form.sending ? words.sending : words.submit)}
      </button>
      <LegalLine />
    </form>
  );
}

function useJoinForm({ kind, target, ownEmail, onJoin, onAlreadyMember }: Props) {
  const { t } = useTranslation('join');
  const errorText = useErrorText();
  const [notice, setNotice] = useState<Notice | null>(null);
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
      const refusal = refusalOf(error);
      const text = errorText(error);
      if (refusal === 'alreadyMember') onAlreadyMember();
      else if (refusal === 'consent') form.fail({ emailConsent: text });
      else if (hasTitle(refusal)) setNotice({ title: t(`${refusal}.title`), text });
      else if (isDead(refusal)) {
        const which = refusal === 'notFound' && kind === 'temporary' ? 'invalid' : refusal;
        setNotice({ title: t(`${which}.title`), text: t(`${which}.text`) });
      } else setNotice({ title: t('failed'), text });
    },
  });
  return { form, notice };
}

const hasTitle = (refusal: JoinRefusal): refusal is 'full' | 'tooMany' | 'used' =>
  refusal === 'full' || refusal === 'tooMany' || refusal === 'used';

function checkEmail(email: string, required: string, invalid: string): string | undefined {
  if (!email) return required;
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email) ? undefined : invalid;
}

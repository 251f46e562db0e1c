import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { hasCode } from '../../../shared/api/api-error';
import { api } from '../../../shared/api/client';
import type { SignedInUser } from '../../../shared/api/current-user';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { useForm } from '../../../shared/forms/use-form';
import { EmailIcon } from '../../../shared/public-ui/icons';
import { PublicSubmitButton } from '../../../shared/public-ui/public-button';
import { PublicField } from '../../../shared/public-ui/public-field';
import { PublicPasswordField } from '../../../shared/public-ui/public-password-field';
import { toast } from '../../../shared/toast/toast-store';
import { validateSignInPassword } from '../validation';
import type { Factor } from './second-factor-step';

interface Props {
  email: string;
  /** The user signs in with the temporary password from an email. */
  isTemporaryPassword?: boolean;
  /** Focuses the password field, because the address is known. */
  autoFocusPassword?: boolean;
  onSignedIn: (user: SignedInUser) => Promise<void>;
  /** Called if the password is correct and a second factor is required. */
  onFactorRequired: (factors: readonly Factor[]) => void;
  /** Called when the user prefers a sign-in email, with the address typed so far. */
  onUseEmail?: (email: string) => void;
}

/** Sign-in with email address and password. */
export function SignInForm({ email, isTemporaryPassword = false, autoFocusPassword = false, ...rest }: Props) {
  const { onSignedIn, onFactorRequired, onUseEmail } = rest;
  const { t } = useTranslation('auth');
  const errorText = useErrorText();
  const form = useForm({
    initial: { email, password: '' },
    validate: (values) => {
      const passwordError = validateSignInPassword(values.password);
      return {
        email: values.email.trim() ? undefined : t('errors.emailRequired'),
        password: passwordError && t(passwordError),
      };
    },
    submit: async ({ email: enteredEmail, password }) => {
      const { data } = await api.POST('/api/login', { body: { email: enteredEmail.trim(), password } });
      if (!data) return;
      if ('requiresFactor' in data) onFactorRequired(data.factors);
      else await onSignedIn(data);
    },
    onFailure: (error) => {
      // The toast disappears; the error at the field stays until it is changed.
      if (hasCode(error, 'INVALID_CREDENTIALS')) form.showErrors({ password: error.message });
      toast.error(t('login.failed'), errorText(error));
    },
  });
  return (
    // `method="dialog"` sends nothing: submitted before the app has started, the form would put the password into the
    // URL.
    <form className="z-form" method="dialog" {...form.formProps}>
      {isTemporaryPassword && (
        <div className="z-notice" role="status">
          <strong>{t('login.activation')}</strong>
          <br />
          {t('login.activationText')}
        </div>
      )}
      <PublicField {...form.field('email')} label={t('fields.email')} type="email" autoComplete="username webauthn" />
      <PublicPasswordField
        {...form.field('password')}
        label={t('fields.password')}
        autoComplete="current-password"
        autoFocus={autoFocusPassword}
      />
      <div className="z-auth-forgot z-auth-small">
        <Link className="z-link z-standalone-link" to="/forgot-password" state={{ email: form.values.email }}>
          {t('login.forgot')}
        </Link>
      </div>
      <PublicSubmitButton isSubmitting={form.isSubmitting}>{t('login.submit')}</PublicSubmitButton>
      {onUseEmail && (
        <button type="button" className="z-button z-button-wide" onClick={() => onUseEmail(form.values.email.trim())}>
          <EmailIcon />
          {t('byMail.offer')}
        </button>
      )}
    </form>
  );
}

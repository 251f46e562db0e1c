import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { HiddenIcon, VisibleIcon } from './icons';
import { PublicField, type PublicFieldProps } from './public-field';

export interface PublicPasswordFieldProps extends Omit<PublicFieldProps, 'type' | 'inputMode' | 'endAdornment'> {
  autoComplete: 'current-password' | 'new-password';
}

/** Password field of the public pages, with a button that reveals the password. */
export function PublicPasswordField(props: PublicPasswordFieldProps) {
  const { t } = useTranslation();
  const [isVisible, setIsVisible] = useState(false);
  const toggle = (
    <button
      type="button"
      className="z-input-button"
      aria-label={isVisible ? t('form.hidePassword') : t('form.showPassword')}
      aria-pressed={isVisible}
      onClick={() => setIsVisible(!isVisible)}
    >
      {isVisible ? <HiddenIcon /> : <VisibleIcon />}
    </button>
  );
  return <PublicField {...props} type={isVisible ? 'text' : 'password'} endAdornment={toggle} />;
}

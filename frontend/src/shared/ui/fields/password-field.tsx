import VisibilityOffRounded from '@mui/icons-material/VisibilityOffRounded';
import VisibilityRounded from '@mui/icons-material/VisibilityRounded';
import IconButton from '@mui/material/IconButton';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { FieldProps } from '../../forms/use-form';
import { FormField } from './form-field';

interface Props extends FieldProps {
  label: string;
  help?: ReactNode;
  autoComplete: 'current-password' | 'new-password';
  optional?: boolean;
  autoFocus?: boolean;
  onFocus?: () => void;
}

/** A password field with a button that reveals it. */
export function PasswordField(props: Props) {
  const { t } = useTranslation();
  const [isVisible, setIsVisible] = useState(false);
  const toggle = (
    <IconButton
      edge="end"
      aria-label={isVisible ? t('form.hidePassword') : t('form.showPassword')}
      aria-pressed={isVisible}
      onClick={() => setIsVisible(!isVisible)}
    >
      {isVisible ? <VisibilityOffRounded /> : <VisibilityRounded />}
    </IconButton>
  );
  return <FormField {...props} type={isVisible ? 'text' : 'password'} endAdornment={toggle} />;
}

import type { ReactNode } from 'react';
import type { Schema } from '../../../shared/api/client';
import type { View } from '../controls/use-view';
import { FindBar } from './find-bar';
import { FoundContext } from './found';
import { useFind } from './use-find';
import { useFindKeys } from './use-find-keys';

interface Props {
  file: Schema<'FileDto'>;
  /** The page that is read. */
  page: number;
  view: View;
  children: ReactNode;
}

/** Lets a document be searched, where its text may be taken. */
export function Searching(props: Props) {
  return props.file.can.text ? <Searched {...props} /> : props.children;
}

function Searched({ file, page, view, children }: Props) {
  const find = useFind(file.id, page, view);
  useFindKeys(find);
  return (
    <FoundContext value={find.found}>
      {find.isOpen && <FindBar find={find} />}
      {children}
    </FoundContext>
  );
}

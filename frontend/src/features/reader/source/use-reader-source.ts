import { createContext, use } from 'react';
import type { ReaderSource } from './reader-source';
import { zoneSource } from './zone-source';

export const ReaderSourceContext = createContext<ReaderSource>(zoneSource);

export const useReaderSource = () => use(ReaderSourceContext);

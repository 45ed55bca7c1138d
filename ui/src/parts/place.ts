/** Where and when the reader is: the office, its zone, the person. Given once by the shell, read by every part. */
import { createContext, useContext } from 'react';

export interface Place {
  office: string;
  /** IANA zone of the office. */
  zone: string;
  /** Simulated office time has no counterpart in the person's own day. */
  simulated: boolean;
  /** Id of the person who looks. */
  person: string;
  personName: string;
  /** Office time in milliseconds since the epoch. */
  now: () => number;
}

const NOWHERE: Place = {
  office: '',
  zone: 'UTC',
  simulated: false,
  person: '',
  personName: '',
  now: () => 0,
};

export const PlaceContext = createContext<Place>(NOWHERE);

export const usePlace = (): Place => useContext(PlaceContext);

/** The signed-in person. Only below a route that has required it. */
import { useQuery } from '@tanstack/react-query';
import { meQuery } from '../api/queries';
import type { Me } from '../api/types';

export function useMe(): Me {
  const { data } = useQuery(meQuery);
  if (data === undefined) throw new Error('nobody is signed in');
  return data;
}

